/* Why is my variable not here? Every column of the table with what became of it, to be searched. */
(function (page) {
  "use strict";

  const FIRST = 12;

  function link(view, id) {
    return page.element("a", { href: "#rule-" + id }, page.patternName(view, view.rules[id - 1]));
  }

  function entry(view, [name, status, text, rules]) {
    const links = rules.slice(0, FIRST).map((id, place) => [place ? ", " : "", link(view, id)]);
    return page.element(
      "li",
      {},
      page.element("div", { class: "column-name" }, page.anyName(name), " ", page.element("span", { class: "status-word of-" + status.replaceAll(" ", "-") }, status)),
      page.element("p", {}, page.element("bdi", {}, text)),
      links.length ? page.element("p", { class: "quiet" }, "Evidence: ", links) : null,
    );
  }

  /** The section, and a function that shows every column. */
  page.columnAnswers = function (view) {
    if (!view.columns || !view.columns.length) return null;
    const words = page.element("input", {
      type: "search",
      name: "variable",
      autocomplete: "off",
      placeholder: "name of a column, or what became of it",
      oninput: () => fill(),
    });
    const told = page.element("p", { class: "quiet found-columns", role: "status" });
    const list = page.element("ul", { class: "column-answers" });
    const more = page.element("button", { type: "button", class: "more", onclick: () => fill(Infinity) });
    const texts = view.columns.map(([name, status]) => `${name} ${status}`.toLowerCase());

    function fill(most = FIRST) {
      const sought = words.value.toLowerCase().trim();
      const found = view.columns.filter((one, place) => texts[place].includes(sought));
      list.replaceChildren(...found.slice(0, most).map((one) => entry(view, one)));
      more.hidden = found.length <= most;
      more.textContent = `Show all ${page.count(found.length)}`;
      told.textContent = found.length
        ? `${page.count(found.length)} of ${page.count(view.columns.length)} columns`
        : "No column of the table has this name. It may have been left out before the table was read.";
    }

    fill();
    const form = page.element(
      "form",
      { class: "find-column", role: "search", "aria-label": "columns", onsubmit: (event) => event.preventDefault() },
      page.element("label", {}, page.element("span", {}, "Find a column"), words),
    );
    const node = page.section(2, "Why is my variable not here?", "variables", form, told, list, more);
    node.id = "variables";
    return { node, showAll: () => { words.value = ""; fill(Infinity); } };
  };
})(causalrules);
