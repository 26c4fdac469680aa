/* Effects below one another, each with its interval: levels of a dose, subgroups. */
(function (page) {
  "use strict";

  const OUTLANDISH = 256;
  const shown = (rows) => rows.map(([, effect]) => effect).filter(Boolean);

  /** How far one side of the axis must go for all estimates, and for limits that are not too far off. */
  function reach(rows, isRight) {
    const sizes = shown(rows)
      .flatMap(([value, low, high]) => [value, low, high])
      .filter((one) => one > 0)
      .map((one) => (isRight ? one : 1 / one))
      .filter((one) => one <= OUTLANDISH);
    return Math.max(2, ...sizes);
  }

  /** Odds ratios: 1 is no effect, and the axis is logarithmic. */
  const RATIOS = {
    name: "Odds ratios",
    nothing: 1,
    number: page.number,
    axis: (rows) => page.ratioAxis(reach(rows, false), reach(rows, true)),
  };

  /** Differences of means: 0 is no effect, and the axis is even. */
  const DIFFERENCES = {
    name: "Mean differences",
    nothing: 0,
    number: page.difference,
    axis: (rows) => page.differencesAxis(shown(rows).flat()),
  };

  const measureOf = (rule) => (rule.mean ? DIFFERENCES : RATIOS);
  const sideOf = (measure, effect) => (effect[0] !== null && effect[0] < measure.nothing ? "lowers" : "raises");

  function numbers(measure, effect) {
    if (!effect) return page.element("span", { class: "quiet" }, "cannot tell");
    const [value, low, high] = effect.map(measure.number);
    return [page.element("strong", {}, value), ` (${low} – ${high})`];
  }

  function strip(measure, axis, effect, isReference) {
    if (!effect) return page.strip(axis);
    if (isReference) return page.strip(axis, page.mark(axis, measure.nothing, "diamond", "after", 4));
    const side = sideOf(measure, effect);
    return page.strip(axis, page.span(axis, effect[1], effect[2], side), page.mark(axis, effect[0], "square", side, 4));
  }

  /** The rows as a plot; `countOf` says what the counts mean, `reference` is the place of the row that others are compared with, or -1. */
  function plot(measure, rows, caption, countOf, reference) {
    const axis = measure.axis(rows);
    const lines = rows.map(([name, effect, first, second], place) =>
      page.plotRow(
        "li",
        page.element("bdi", {}, name),
        strip(measure, axis, effect, place === reference),
        [
          page.element("span", {}, place === reference ? String(measure.nothing) : numbers(measure, effect)),
          page.element("span", { class: "quiet" }, countOf(first, second)),
        ],
      ),
    );
    return page.plot("estimates", caption, page.axisRow(axis), page.element("ol", { class: "rows" }, lines));
  }

  /** All levels of the exposure's column against the reference. */
  page.doseRows = (view, rule) =>
    plot(
      measureOf(rule),
      rule.dose.rows,
      `${measureOf(rule).name} against the reference, the lowest level with enough ${rule.mean ? "records" : "cases"}, with ${view.interval} intervals; ` +
        `${rule.mean ? "records" : "cases of records"}. The test of trend counts the levels 0, 1, 2, …`,
      (cases, records) => (cases ? `${cases} of ${records}` : records),
      rule.dose.reference,
    );

  /** The effect in each subgroup. */
  page.subgroupRows = (view, rule) =>
    plot(
      measureOf(rule),
      rule.subgroups.rows,
      `${measureOf(rule).name} with ${view.interval} intervals; ${rule.mean ? "records" : "cases/records"} of exposed and unexposed. A subgroup's own ` +
        "interval does not tell whether it differs from the others, the test of interaction does; that it " +
        "finds nothing does not prove them equal.",
      (exposed, unexposed) => (exposed ? `${exposed} and ${unexposed}` : ""),
      -1,
    );

  const WIDTH = 46;
  const HEIGHT = 150;
  const MARGIN = { left: 42, right: 12, top: 10, bottom: 42 };

  /** The dose-response as a small picture: levels from left to right, effects upwards. */
  page.doseSketch = function (view, rule) {
    const rows = rule.dose.rows;
    const measure = measureOf(rule);
    const { nothing } = measure;
    const axis = measure.axis(rows);
    const width = MARGIN.left + MARGIN.right + WIDTH * rows.length;
    const x = (place) => MARGIN.left + WIDTH * (place + 0.5);
    const y = (value) => {
      const share = value === null ? 1 : value > 0 || rule.mean ? axis.place(value) : 0;
      return MARGIN.top + (HEIGHT - MARGIN.top - MARGIN.bottom) * (1 - Math.min(1, Math.max(0, share)));
    };
    const every = Math.ceil(axis.ticks.length / 6);
    const one = axis.ticks.findIndex(({ value }) => value === nothing);
    const ticks = axis.ticks.filter((tick, place) => (place - one) % every === 0).map(({ value, label }) => [
      page.shape("line", { class: value === nothing ? "grid origin" : "grid", x1: MARGIN.left, x2: width - MARGIN.right, y1: y(value), y2: y(value) }),
      page.shape("text", { x: MARGIN.left - 6, y: y(value) + 4, "text-anchor": "end" }, label),
    ]);
    const column = page.itemText(view, rule.pattern[0]).split(/[=<>]/)[0];
    const short = (name) => name.replace(" (reference)", "").replace(column, "").replace(/^=/, "");
    const known = rows.map(([, effect], place) => (place === rule.dose.reference ? [nothing, nothing, nothing] : effect));
    const isPoint = (effect) => Boolean(effect && (rule.mean ? effect[0] !== null : effect[0]));  // of ratios neither 0 nor infinite
    const path = known
      .map((effect, place) => (isPoint(effect) ? `${isPoint(known[place - 1]) ? "L" : "M"}${x(place)} ${y(effect[0])}` : ""))
      .join("");
    const marks = known.map((effect, place) => {
      if (!effect) return null;
      const side = place === rule.dose.reference ? "after" : sideOf(measure, effect);
      return [
        page.shape("line", { class: "span " + side, x1: x(place), x2: x(place), y1: y(effect[1]), y2: y(effect[2]) }),
        isPoint(effect) ? page.shape("circle", { class: "mark " + side, cx: x(place), cy: y(effect[0]), r: 4 }) : null,
      ];
    });
    const labels = rows.map(([name], place) => {
      const text = short(name);
      const clipped = text.length > 12 ? text.slice(0, 11) + "…" : text;
      return page.shape("text", { class: "level-name", transform: `translate(${x(place) + 4} ${HEIGHT - MARGIN.bottom + 14}) rotate(-28)`, "text-anchor": "end" }, clipped);
    });
    const told = rows.map(([name, effect], place) => `${name}: ${place === rule.dose.reference ? nothing : effect ? measure.number(effect[0]) : "cannot tell"}`);
    const picture = page.shape(
      "svg",
      { role: "img", "aria-label": `${measure.name} by level. ${told.join("; ")}.`, viewBox: `0 0 ${width} ${HEIGHT + 14}`, width, height: HEIGHT + 14 },
      ticks,
      path ? page.shape("path", { class: "course", d: path }) : null,
      marks,
      labels,
    );
    return page.element("div", { class: "dose-sketch" }, page.element("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": "Dose-response" }, picture));
  };
})(causalrules);
