/* Balance: how unlike exposed and unexposed are, before and after matching (a love plot); who found no partner. */
(function (page) {
  "use strict";

  const ALIKE = 0.1;
  const FIRST = 10;

  page.balancePlot = function (view, rule, options) {
    const sizes = rule.balance.map(([item, before, after]) => [item, Math.abs(before), Math.abs(after)]);
    const axis = page.lengthAxis(
      Math.max(0.5, ...sizes.flatMap(([, before, after]) => [before, after])),
      (value) => String(+value.toFixed(2)),
    );
    const rows = sizes.map(([item, before, after]) =>
      page.plotRow(
        "li",
        page.itemChip(view, item, options),
        page.strip(
          axis,
          page.shape("rect", {
            class: "alike",
            x: 0,
            y: 0,
            height: "100%",
            width: (100 * axis.place(ALIKE)).toFixed(2) + "%",
          }),
          page.span(axis, before, after, "shrink"),
          page.mark(axis, before, "circle", "crude", 4),
          page.mark(axis, after, "diamond", "after", 5),
        ),
        `${before.toFixed(2)} → ${after.toFixed(2)}`,
      ),
    );
    return page.plot(
      "love",
      page.element(
        "span",
        { class: "keys" },
        page.key("circle", "crude", "before matching"),
        page.key("diamond", "after", "after; the shaded part counts as alike"),
      ),
      page.axisRow(axis),
      page.element("ol", { class: "rows" }, rows.slice(0, FIRST)),
      rest(rows.slice(FIRST)),
    );
  };

  const rest = (rows) =>
    rows.length
      ? page.element(
          "details",
          { class: "rest" },
          page.element("summary", {}, `${rows.length} more items`),
          page.element("ol", { class: "rows" }, rows),
        )
      : null;

  page.unmatchedTable = (view, rule, options) =>
    page.smallTable(
      "Shares among exposed records",
      ["", "without a partner", "with one"],
      rule.unmatched.map(([item, matched, unmatched]) => [
        page.itemChip(view, item, options),
        page.percent(unmatched),
        page.percent(matched),
      ]),
    );
})(causalrules);
