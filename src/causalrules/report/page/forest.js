/* What a rule does to the odds, adjusted and crude, on one axis for all. */
(function (page) {
  "use strict";

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
      page.element("span", {}, `Among records that are alike, ${view.interval} interval:`),
      has("raises") ? page.key("square", "adjusted raises", `higher ${view.measure.moves}`) : null,
      has("lowers") ? page.key("square", "adjusted lowers", `lower ${view.measure.moves}`) : null,
      page.key("circle", "crude", "crude: not adjusted"),
      goesOn ? page.key("right", "cut beyond", "beyond the axis") : null,
    );
  };
})(causalrules);
