/* Table 1: who the exposed and the unexposed are, before matching and after it. */
(function (page) {
  "use strict";

  const heading = (text, attributes) => page.element("th", { scope: "col", ...attributes }, text);

  function head([exposed, unexposed, matched, partners]) {
    const size = (name, n) => heading(`${name} (n\u00a0=\u00a0${page.count(n)})`);
    return page.element(
      "thead",
      {},
      page.element(
        "tr",
        {},
        page.element("td"),
        heading("Before matching", { colspan: 3, scope: "colgroup" }),
        heading("After matching", { colspan: 3, scope: "colgroup" }),
      ),
      page.element(
        "tr",
        {},
        heading("Characteristic"),
        size("Exposed", exposed),
        size("Unexposed", unexposed),
        heading("SMD"),
        size("Exposed", matched),
        size("Unexposed", partners),
        heading("SMD"),
      ),
    );
  }

  const IS_UNLIKE = 0.1;

  function line([name, isPart, ...cells]) {
    const isUnlike = (place) => place % 3 === 2 && (cells[place] === "∞" || Number(cells[place]) > IS_UNLIKE);
    return page.element(
      "tr",
      { class: isPart ? "of-part" : "of-column" },
      page.element("th", { scope: "row" }, page.element("bdi", {}, name)),
      cells.map((cell, place) => page.element("td", { class: isUnlike(place) ? "unlike" : null }, cell)),
    );
  }

  /** How many characteristics there are, and how unlike the arms still are in the worst of them. */
  page.tableOneInShort = function ({ lines, worst, has_later: hasLater, left_unlike: unlike }) {
    const n = lines.filter(([, isPart]) => !isPart).length;
    const but = hasLater ? ", but for what comes after the exposure" : "";
    const not = unlike ? `; ${unlike} was not adjusted for` : "";
    return `${n} characteristics before and after matching; largest standardised difference after it ${worst}${but}${not}`;
  };

  /** The table itself. */
  page.tableOne = ({ sizes, lines, notes }) => [
    page.element(
      "div",
      { class: "scroll", tabindex: "0", role: "group", "aria-label": "Table 1" },
      page.element(
        "table",
        { class: "small table-one" },
        page.element("caption", { class: "unseen" }, "Characteristics of exposed and unexposed records, before and after matching"),
        head(sizes),
        page.element("tbody", {}, lines.map(line)),
      ),
    ),
    notes.map((note) => page.element("p", { class: "quiet" }, page.element("bdi", {}, note))),
  ];
})(causalrules);
