/* The sizes of an effect, as a small table. */
(function (page) {
  "use strict";

  const points = (share) => page.points(share).replace(" points", "");

  page.effectsTable = function (view, rule) {
    const { adjusted, crude, risk_ratio: ratio, risk_difference: difference } = rule;
    const corrected = rule.q === undefined || view.is_single ? "" : `, corrected ${page.probability(rule.q)}`;
    const sense = rule.direction === "lowers" ? "Odds and risks of not having the outcome. " : "";
    const tested = `By the ${view.test} test, p = ${page.probability(rule.p)}${corrected}.`;
    return page.smallTable(
      sense + tested,
      ["", "matched", view.interval + " interval", "crude"],
      [
        ["odds ratio", page.number(adjusted[0]), page.interval(adjusted), page.number(crude[0])],
        ["risk ratio", page.number(ratio[0]), page.interval(ratio), page.number(rule.crude_risk_ratio)],
        [
          "risk difference",
          page.points(difference[0]),
          `${points(difference[1])} – ${points(difference[2])}`,
          page.points(rule.crude_risk_difference),
        ],
      ],
    );
  };
})(causalrules);
