/* A small table inside a card: a caption, headings, and rows that begin with what they are about. */
(function (page) {
  "use strict";

  const headingOf = (text) => (text ? page.element("th", { scope: "col" }, text) : page.element("td"));

  function rowOf([name, ...values]) {
    const cells = values.map((value) => page.element("td", {}, value));
    return page.element("tr", {}, page.element("th", { scope: "row" }, name), cells);
  }

  page.smallTable = function (caption, headings, rows, className = "") {
    const table = page.element(
      "table",
      { class: ("small " + className).trim() },
      page.element("caption", {}, caption),
      page.element("thead", {}, page.element("tr", {}, headings.map(headingOf))),
      page.element("tbody", {}, rows.map(rowOf)),
    );
    return page.element(
      "div",
      { class: "scroll", tabindex: "0", role: "group", "aria-label": caption },
      table,
    );
  };
})(causalrules);
