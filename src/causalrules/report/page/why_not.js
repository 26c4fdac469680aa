/* Why an association was rejected: the path from the crude odds ratio to the adjusted one. */
(function (page) {
  "use strict";

  function path(view, rule, options) {
    const steps = [
      ["nothing held (crude)", rule.crude, null],
      ...rule.why_not.steps.map(([item, odds, pairs]) => [
        ["+ ", page.itemChip(view, item, options)],
        odds,
        pairs,
      ]),
      [`all ${(rule.controls || []).length} controls`, rule.adjusted, rule.n_pairs],
    ];
    const ends = steps.flatMap(([, odds]) => odds).filter((one) => one !== null && one > 0);
    const axis = page.ratioAxis(
      Math.min(64, Math.max(2, 1 / Math.min(...ends))),
      Math.min(64, Math.max(2, ...ends)),
    );
    const rows = steps.map(([label, odds, pairs]) =>
      page.plotRow(
        "li",
        label,
        page.strip(
          axis,
          page.span(axis, odds[1], odds[2], "step"),
          page.mark(axis, odds[0], "square", "after", 4),
        ),
        `${page.number(odds[0])} (${page.interval(odds)})` +
          (pairs === null ? "" : `, ${page.count(pairs)} pairs`),
      ),
    );
    return page.plot(
      "path",
      `Odds ratio and ${view.interval} interval, with one more control held fixed at a time.`,
      page.axisRow(axis),
      page.element("ol", { class: "rows" }, rows),
    );
  }

  function tables(view, rule, options) {
    const [z, notZ] = rule.direction === "raises" ? ["with", "without"] : ["without", "with"];
    return page.smallTable(
      "The strongest of them, as two tables (with or without the outcome)",
      ["", `exposed ${z}`, `exposed ${notZ}`, `others ${z}`, `others ${notZ}`, "odds ratio"],
      rule.why_not.tables.map(([item, isPresent, counts, odds]) => [
        [isPresent ? "" : "not ", page.itemChip(view, item, options)],
        ...counts.map(page.count),
        page.number(odds),
      ]),
    );
  }

  page.whyNot = function (view, rule, options) {
    const why = rule.why_not;
    const children = [page.element("p", {}, why.reading)];
    if (why.steps) children.push(path(view, rule, options), tables(view, rule, options));
    if (why.missing) children.push(page.element("p", { class: "quiet" }, view.how_to_explain));
    return children;
  };
})(causalrules);
