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

  const share = (risk) => page.percent(risk, 1);

  /** Two parts as a table of two by two: the darker a cell, the higher its adjusted risk. */
  function twoByTwo(view, rule) {
    const { risks, standardised_to: records } = rule.together;
    const highest = Math.max(...risks.map(([, [risk]]) => risk)) || 1;
    const [first, second] = rule.pattern.map((item) => page.itemName(view, item));
    function cell(hasFirst, hasSecond) {
      const [, [risk, low, high], cases, all] = risks.find(([, , , , [a, b]]) => a === hasFirst && b === hasSecond);
      const node = page.element(
        "td",
        {},
        page.element("strong", {}, share(risk)),
        page.element("span", {}, `${(100 * low).toFixed(1)} – ${share(high)}`),
        page.element("span", {}, `${page.count(cases)} of ${page.count(all)}`),
      );
      node.style.setProperty("--risk", `${(35 * risk) / highest}%`);
      return node;
    }
    const heading = (scope, ...content) => page.element("th", { scope }, content);
    const table = page.element(
      "table",
      { class: "two-by-two" },
      page.element(
        "caption",
        {},
        "Adjusted risk of ",
        page.element("bdi", {}, view.outcome),
        `, ${view.interval} interval, and cases of records. Standardised to the ${page.count(records)} records with both.`,
      ),
      page.element("thead", {}, page.element("tr", {}, page.element("td"), heading("col", "not ", second.cloneNode(true)), heading("col", second))),
      page.element(
        "tbody",
        {},
        [false, true].map((hasFirst) =>
          page.element("tr", {}, heading("row", hasFirst ? "" : "not ", first.cloneNode(true)), cell(hasFirst, false), cell(hasFirst, true)),
        ),
      ),
    );
    return page.element("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": "Adjusted risks, two by two" }, table);
  }

  /** The adjusted risks of a combined cause: two parts as a table, more as bars. */
  page.togetherPlot = (view, rule) => (rule.pattern.length === 2 ? twoByTwo(view, rule) : bars(view, rule));

  function bars(view, rule) {
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
  }
})(causalrules);
