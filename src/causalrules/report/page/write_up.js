/* For the paper: methods and results in sentences, to copy, and the STROBE checklist. */
(function (page) {
  "use strict";

  function plainText({ methods, results, references }) {
    const listed = references.map((text, place) => `${place + 1}. ${text}`);
    return ["Methods", ...methods, "Results", ...results, "References", listed.join("\n")].join("\n\n");
  }

  /** A button that copies; where that is not allowed, the text is marked instead. */
  function copyButton(text, body) {
    const told = page.element("span", { class: "quiet", role: "status" });
    async function copy() {
      try {
        await navigator.clipboard.writeText(text);
        told.textContent = "Copied.";
      } catch {
        getSelection().selectAllChildren(body);
        told.textContent = "Marked: copy it with Ctrl-C.";
      }
    }
    return page.element("p", { class: "copy" }, page.element("button", { type: "button", class: "more", onclick: copy }, "Copy the text"), " ", told);
  }

  const paragraphs = (texts) => texts.map((text) => page.element("p", {}, page.element("bdi", {}, text)));

  function checklist(strobe) {
    const rows = strobe.map(([number, topic, given, left]) => [`${number}. ${topic}`, given, left]);
    return page.element(
      "details",
      { class: "strobe" },
      page.element("summary", {}, "STROBE checklist: what is given here, and what is left to the authors"),
      page.smallTable("STROBE checklist", ["", "given here", "for the authors"], rows, "words"),
    );
  }

  /** The section, folded: nobody has to read it to understand the answer. */
  page.writeUp = function (view) {
    if (!view.paper) return null;
    const { methods, results, references, strobe } = view.paper;
    const body = page.element(
      "div",
      { class: "write-up-text" },
      page.element("h3", {}, "Methods"),
      paragraphs(methods),
      page.element("h3", {}, "Results"),
      paragraphs(results),
      page.element("h3", {}, "References"),
      page.element("ol", {}, references.map((text) => page.element("li", {}, text))),
    );
    const node = page.section(
      2,
      "For the paper",
      "write-up",
      page.element("p", { class: "note" }, "A draft from the settings and the numbers: read it, and add what only the authors can know."),
      page.element("details", {}, page.element("summary", {}, "Methods and results in sentences"), copyButton(plainText(view.paper), body), body),
      checklist(strobe),
    );
    node.id = "paper";
    return node;
  };
})(causalrules);
