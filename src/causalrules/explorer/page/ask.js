/* Questions to the server. The token comes in the address once, is taken out of it, and goes along in a header. */
(function (page) {
  "use strict";

  const explorer = (page.explorer = {});
  const KEPT = "causalrules-token";

  function takeToken() {
    const given = location.hash.slice(1);
    if (given && !given.startsWith("rule-") && given !== "answer") {
      sessionStorage.setItem(KEPT, given);
      history.replaceState(null, "", location.pathname);
    }
    return sessionStorage.getItem(KEPT) || "";
  }

  const token = takeToken();

  /** An answer that is no: a sentence, and the control it is about. */
  class Refusal extends Error {
    constructor(text, about, status) {
      super(text);
      this.about = about;
      this.status = status;
    }
  }

  async function send(method, path, headers, body) {
    let response;
    try {
      response = await fetch(path, { method, body, headers: { "X-Causalrules-Token": token, ...headers } });
    } catch {
      throw new Refusal("The explorer does not answer. Was it closed in the terminal?", null, 0);
    }
    if (response.ok) return response;
    const said = await response.json().catch(() => ({ error: "The explorer cannot answer this." }));
    throw new Refusal(said.error, said.about, response.status);
  }

  const json = async (response) => (response.status === 204 ? null : response.json());

  explorer.get = async (path) => json(await send("GET", path, {}));
  explorer.remove = async (path) => json(await send("DELETE", path, {}));
  explorer.post = async (path, body) =>
    json(await send("POST", path, { "Content-Type": "application/json" }, JSON.stringify(body ?? {})));
  explorer.upload = async (file) =>
    json(await send("POST", "/api/uploads?name=" + encodeURIComponent(file.name), { "Content-Type": "application/octet-stream" }, file));

  /** Save an answer as a file. */
  explorer.download = async function (path, name) {
    const blob = await (await send("GET", path, {})).blob();
    const link = page.element("a", { href: URL.createObjectURL(blob), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  };
})(causalrules);
