/* The forest: what each rule does to the odds, before and after matching, strongest first. */
(function (page) {
  "use strict";

  const FIRST = 10;
  const COVERED = 0.9;
  const OUTLANDISH = 64;
  const A_LITTLE_FURTHER = 1.5;

  const factors = page.factors;

  /** How far one side of the axis goes: to nearly all numbers there, to what lies a little further, and to
      every adjusted one within reason. What lies beyond is an arrow. */
  function reach(rules, isRight) {
    const sizes = (numbers) =>
      numbers
        .filter((one) => one > 0)
        .map((one) => (isRight ? one : 1 / one))
        .filter((one) => one > 1 && one <= OUTLANDISH)
        .sort((a, b) => a - b);
    const all = sizes(
      rules.flatMap((rule) => [factors(rule, rule.crude)[0], ...factors(rule, rule.adjusted)]),
    );
    const adjusted = sizes(rules.map((rule) => factors(rule, rule.adjusted)[0]));
    const most = all[Math.ceil(COVERED * all.length) - 1] || 1;
    const little = all.findLast((one) => one <= A_LITTLE_FURTHER * most) || 1;
    return Math.max(2, little, adjusted.at(-1) || 1);
  }

  /** Differences of means and all of their limits that are known. */
  const differences = (rules) => page.differencesAxis(rules.flatMap((rule) => [rule.crude[0], ...rule.adjusted]));

  /** An axis on which these rules can be told apart: of odds ratios, or of differences of means. */
  page.oddsAxis = (rules) =>
    rules.some((rule) => rule.mean) ? differences(rules) : page.ratioAxis(reach(rules, false), reach(rules, true));

  /** A rule's adjusted odds ratio with its interval, and below it the crude one. */
  page.oddsStrip = function (rule, axis) {
    const adjusted = factors(rule, rule.adjusted);
    const [crude] = factors(rule, rule.crude);
    return page.strip(
      axis,
      page.span(axis, crude, adjusted[0], "shrink", 6),
      page.mark(axis, crude, "circle", "crude", 3.5, 6),
      page.span(axis, adjusted[1], adjusted[2], rule.direction, -3),
      page.mark(axis, adjusted[0], "square", "adjusted " + rule.direction, 4, -3),
    );
  };

  const isBeyond = (axis, value) => value === null || axis.place(value) < 0 || axis.place(value) > 1;

  /** What marks, colours and arrows of strips mean, as far as they occur. */
  page.oddsKeys = function (view, rules, axis) {
    const has = (direction) => rules.some((rule) => rule.direction === direction);
    const goesOn = rules.some((rule) =>
      [factors(rule, rule.crude)[0], ...factors(rule, rule.adjusted)].some((one) => isBeyond(axis, one)),
    );
    return page.element(
      "p",
      { class: "keys" },
      page.element(
        "span",
        {},
        `Among ${view.contrasts ? "records that are alike" : "matched pairs"}, ${view.interval} interval:`,
      ),
      has("raises") ? page.key("square", "adjusted raises", `higher ${view.measure.moves}`) : null,
      has("lowers") ? page.key("square", "adjusted lowers", `lower ${view.measure.moves}`) : null,
      page.key("circle", "crude", view.contrasts ? "crude: not adjusted" : "crude: without matching"),
      goesOn ? page.key("right", "cut beyond", "beyond the axis") : null,
    );
  };

  function row(view, rule, axis) {
    const text = [
      page.element("strong", {}, page.signed(rule, rule.adjusted[0])),
      page.element("span", {}, page.ratioInterval(rule, rule.adjusted)),
      page.element(
        "span",
        { class: "quiet" },
        page.element("span", { class: "narrow" }, "crude "),
        page.signed(rule, rule.crude[0]),
      ),
    ];
    const link = page.element("a", { href: "#rule-" + rule.id }, page.patternName(view, rule));
    return page.plotRow("li", link, page.oddsStrip(rule, axis), text, "of-" + rule.verdict);
  }

  function group(view, rules, axis, heading) {
    const list = page.element(
      "ol",
      { class: "rows" },
      rules.slice(0, FIRST).map((rule) => row(view, rule, axis)),
    );
    const rest = rules.slice(FIRST);
    function showRest() {
      list.append(...rest.splice(0).map((rule) => row(view, rule, axis)));
      if (more) more.remove();
    }
    const more = rest.length
      ? page.element(
          "button",
          { type: "button", class: "more", onclick: showRest },
          `Show all ${rules.length}`,
        )
      : null;
    return {
      node: page.element("div", { class: "group" }, page.element("h3", {}, heading), list, more),
      showRest,
    };
  }

  const byStrength = (a, b) => (b.adjusted[1] || 0) - (a.adjusted[1] || 0);

  const HEADINGS = {
    causal: { raises: "Raises the", lowers: "Lowers the" },
    other: { raises: "Goes with more of it", lowers: "Goes with less of it" },
  };

  function title(view, hasCauses) {
    if (view.is_single) return view.contrasts ? "Before and after adjustment" : "Before and after matching";
    return hasCauses ? "What each cause does to the " + view.measure.moves : "What was left of the associations";
  }

  /** The plot of the causal rules, or of all tested where none is causal, and a function that shows every row. */
  page.forest = function (view) {
    const causal = view.rules.filter((rule) => rule.verdict === "causal");
    const shown = causal.length ? causal : view.rules.filter((rule) => rule.verdict !== "untestable");
    if (!shown.length) return null;
    const axis = page.oddsAxis(shown);
    const headings = HEADINGS[causal.length ? "causal" : "other"];
    const groups = ["raises", "lowers"].flatMap((direction) => {
      const rules = shown.filter((rule) => rule.direction === direction).sort(byStrength);
      const what = causal.length ? `${headings[direction]} ${view.measure.moves}` : headings[direction];
      return rules.length ? [group(view, rules, axis, `${what} (${rules.length})`)] : [];
    });
    const rows = groups.map((one) => one.node);
    const columns = page.axisRow(axis, [view.contrasts ? view.measure.name : "odds", view.interval + " interval", "crude"]);
    return {
      node: page.section(
        2,
        title(view, causal.length),
        "forest",
        page.oddsKeys(view, shown, axis),
        page.plot("ratio", null, columns, rows),
      ),
      showAll: () => groups.forEach((one) => one.showRest()),
    };
  };
})(causalrules);
