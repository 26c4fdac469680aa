/* What the parts of a combined cause do together: the adjusted risk of each combination, with its interval. */
(function (page) {
  "use strict";

  /** An axis that ends at a round share, with two or three steps: strips on a card are short. */
  function riskAxis(highest) {
    const step = [0.01, 0.02, 0.05, 0.1, 0.2, 0.25].find((one) => highest / one <= 3) || 0.5;
    const end = Math.min(1, Math.ceil(highest / step - 1e-9) * step);
    const ticks = [];
    for (let value = 0; value <= end + 1e-9; value += step)
      ticks.push({ value, label: page.percent(value) });
    return { place: (value) => value / end, ticks, origin: 0 };
  }

  page.togetherPlot = function (view, rule) {
    const { risks, standardised_to: records, aid } = rule.together;
    const axis = riskAxis(Math.max(...risks.map(([, [, , high]]) => high)));
    const rows = risks.map(([label, [risk, low, high], cases, all], place) =>
      page.plotRow(
        "li",
        page.element("bdi", {}, label),
        page.strip(
          axis,
          page.bar(axis.place(risk), place === risks.length - 1 ? "counts-for " + rule.direction : "silent"),
          page.span(axis, low, high, "interval"),
          page.mark(axis, risk, "circle", "after", 3.5),
        ),
        `${page.percent(risk, 1)} (${page.count(cases)} of ${page.count(all)})`,
      ),
    );
    return page.plot(
      "together",
      [
        "Adjusted risk of ",
        page.element("bdi", {}, view.outcome),
        ` by the parts that records have, with ${view.interval} intervals; cases of records in brackets. ` +
          `Standardised to the ${page.count(records)} records with every part. ${aid}`,
      ],
      page.axisRow(axis),
      page.element("ol", { class: "rows" }, rows),
    );
  };
})(causalrules);
