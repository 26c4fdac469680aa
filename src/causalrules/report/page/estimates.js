/* Odds ratios below one another, each with its interval: levels of a dose, subgroups. */
(function (page) {
  "use strict";

  const OUTLANDISH = 256;
  const shown = (rows) => rows.map(([, ratio]) => ratio).filter(Boolean);

  /** How far one side of the axis must go for all estimates, and for limits that are not too far off. */
  function reach(rows, isRight) {
    const sizes = shown(rows)
      .flatMap(([value, low, high]) => [value, low, high])
      .filter((one) => one > 0)
      .map((one) => (isRight ? one : 1 / one))
      .filter((one) => one <= OUTLANDISH);
    return Math.max(2, ...sizes);
  }

  page.estimatesAxis = (rows) => page.ratioAxis(reach(rows, false), reach(rows, true));

  function numbers(ratio) {
    if (!ratio) return page.element("span", { class: "quiet" }, "cannot tell");
    return [page.element("strong", {}, page.number(ratio[0])), ` (${page.interval(ratio)})`];
  }

  function strip(axis, ratio, isReference) {
    if (!ratio) return page.strip(axis);
    const side = ratio[0] !== null && ratio[0] < 1 ? "lowers" : "raises";
    if (isReference) return page.strip(axis, page.mark(axis, 1, "diamond", "after", 4));
    return page.strip(axis, page.span(axis, ratio[1], ratio[2], side), page.mark(axis, ratio[0], "square", side, 4));
  }

  /** The rows as a plot; `countOf` says what the counts mean, `reference` is the place of a row of 1, or -1. */
  page.estimatesPlot = function (rows, caption, countOf, reference) {
    const axis = page.estimatesAxis(rows);
    const lines = rows.map(([name, ratio, first, second], place) =>
      page.plotRow(
        "li",
        page.element("bdi", {}, name),
        strip(axis, ratio, place === reference),
        [
          page.element("span", {}, place === reference ? "1" : numbers(ratio)),
          page.element("span", { class: "quiet" }, countOf(first, second)),
        ],
      ),
    );
    return page.plot("estimates", caption, page.axisRow(axis), page.element("ol", { class: "rows" }, lines));
  };

  /** All levels of the exposure's column against the reference. */
  page.doseRows = (view, rule) =>
    page.estimatesPlot(
      rule.dose.rows,
      `Odds ratios against the reference, the lowest level with enough cases, with ${view.interval} intervals; cases of records. ` +
        "The test of trend counts the levels 0, 1, 2, …",
      (cases, records) => `${cases} of ${records}`,
      rule.dose.reference,
    );

  /** The effect in each subgroup. */
  page.subgroupRows = (view, rule) =>
    page.estimatesPlot(
      rule.subgroups.rows,
      `Odds ratios with ${view.interval} intervals; cases/records of exposed and unexposed. A subgroup's own ` +
        "interval does not tell whether it differs from the others, the test of interaction does; that it " +
        "finds nothing does not prove them equal.",
      (exposed, unexposed) => (exposed ? `${exposed} and ${unexposed}` : ""),
      -1,
    );

  const WIDTH = 46;
  const HEIGHT = 150;
  const MARGIN = { left: 42, right: 12, top: 10, bottom: 42 };

  /** The dose-response as a small picture: levels from left to right, odds ratios upwards. */
  page.doseSketch = function (view, rule) {
    const rows = rule.dose.rows;
    const axis = page.estimatesAxis(rows);
    const width = MARGIN.left + MARGIN.right + WIDTH * rows.length;
    const x = (place) => MARGIN.left + WIDTH * (place + 0.5);
    const y = (value) => {
      const share = value === null ? 1 : value > 0 ? axis.place(value) : 0;
      return MARGIN.top + (HEIGHT - MARGIN.top - MARGIN.bottom) * (1 - Math.min(1, Math.max(0, share)));
    };
    const every = Math.ceil(axis.ticks.length / 6);
    const one = axis.ticks.findIndex(({ value }) => value === 1);
    const ticks = axis.ticks.filter((tick, place) => (place - one) % every === 0).map(({ value, label }) => [
      page.shape("line", { class: value === 1 ? "grid origin" : "grid", x1: MARGIN.left, x2: width - MARGIN.right, y1: y(value), y2: y(value) }),
      page.shape("text", { x: MARGIN.left - 6, y: y(value) + 4, "text-anchor": "end" }, label),
    ]);
    const column = page.itemText(view, rule.pattern[0]).split(/[=<>]/)[0];
    const short = (name) => name.replace(" (reference)", "").replace(column, "").replace(/^=/, "");
    const known = rows.map(([, ratio], place) => (place === rule.dose.reference ? [1, 1, 1] : ratio));
    const isPoint = (ratio) => Boolean(ratio && ratio[0]);  // neither nothing nor infinite
    const path = known
      .map((ratio, place) => (isPoint(ratio) ? `${isPoint(known[place - 1]) ? "L" : "M"}${x(place)} ${y(ratio[0])}` : ""))
      .join("");
    const marks = known.map((ratio, place) => {
      if (!ratio) return null;
      const side = place === rule.dose.reference ? "after" : ratio[0] !== null && ratio[0] < 1 ? "lowers" : "raises";
      return [
        page.shape("line", { class: "span " + side, x1: x(place), x2: x(place), y1: y(ratio[1]), y2: y(ratio[2]) }),
        isPoint(ratio) ? page.shape("circle", { class: "mark " + side, cx: x(place), cy: y(ratio[0]), r: 4 }) : null,
      ];
    });
    const labels = rows.map(([name], place) => {
      const text = short(name);
      const clipped = text.length > 12 ? text.slice(0, 11) + "…" : text;
      return page.shape("text", { class: "level-name", transform: `translate(${x(place) + 4} ${HEIGHT - MARGIN.bottom + 14}) rotate(-28)`, "text-anchor": "end" }, clipped);
    });
    const told = rows.map(([name, ratio], place) => `${name}: ${place === rule.dose.reference ? "1" : ratio ? page.number(ratio[0]) : "cannot tell"}`);
    const picture = page.shape(
      "svg",
      { role: "img", "aria-label": `Odds ratio by level. ${told.join("; ")}.`, viewBox: `0 0 ${width} ${HEIGHT + 14}`, width, height: HEIGHT + 14 },
      ticks,
      path ? page.shape("path", { class: "course", d: path }) : null,
      marks,
      labels,
    );
    return page.element("div", { class: "dose-sketch" }, page.element("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": "Dose-response" }, picture));
  };
})(causalrules);
