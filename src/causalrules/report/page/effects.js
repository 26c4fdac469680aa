/* The sizes of an effect, as a small table. */
(function (page) {
  "use strict";

  const points = (share) => page.points(share).replace(" points", "");

  const range = (difference) => `${points(difference[1])} – ${points(difference[2])}`;

  /** Of a numeric outcome: means and their difference, with the second opinion below. */
  function meanTable(view, rule) {
    const limits = ([, low, high]) => `${page.difference(low)} – ${page.difference(high)}`;
    const corrected = rule.q === undefined || view.is_single ? "" : `, corrected ${page.probability(rule.q)}`;
    const [opinion, agrees] = rule.opinion || [null, false];
    const [exposed, unexposed, spread] = rule.mean;
    const means = `Mean of the matched exposed ${exposed}, without the exposure ${unexposed}`;
    const rows = [
      ["mean difference", page.difference(rule.adjusted[0]), limits(rule.adjusted), page.difference(rule.crude[0])],
    ];
    const verdict = agrees ? "agrees" : "does not agree";
    if (opinion) rows.push(["second opinion, doubly robust", page.difference(opinion[0]), limits(opinion), verdict]);
    return page.smallTable(
      `p = ${page.probability(rule.p)}${corrected}. ${means}; standard deviation ${spread}.`,
      ["", "adjusted", view.interval + " interval", "crude"],
      rows,
    );
  }

  /** Of an event: about the outcome itself, with the second opinion below. */
  function oddsTable(view, rule) {
    const sign = rule.direction === "raises" ? 1 : -1;
    const own = ([value, low, high]) => (sign > 0 ? [value, low, high] : [-value, -high, -low]);
    const [adjusted, crude] = [page.factors(rule, rule.adjusted), page.factors(rule, rule.crude)];
    const corrected = rule.q === undefined || view.is_single ? "" : `, corrected ${page.probability(rule.q)}`;
    const [opinion, agrees] = rule.opinion || [null, false];
    const test = rule.estimator[0].toUpperCase() + rule.estimator.slice(1);
    const difference = rule.risk_difference && own(rule.risk_difference);
    const standardised = difference ? " Risks are standardised to the matched exposed." : "";
    return page.smallTable(
      `${test}, p = ${page.probability(rule.p)}${corrected}.${standardised}`,
      ["", "adjusted", view.interval + " interval", "crude"],
      [
        ["odds ratio", page.number(adjusted[0]), page.interval(adjusted), page.number(crude[0])],
        ...(rule.risk_rows || []).slice(0, 1),
        ...(difference
          ? [
              [
                "risk difference, points",
                points(difference[0]),
                range(difference),
                points(sign * rule.crude_risk_difference),
              ],
            ]
          : []),
        ...(opinion
          ? [
              [
                "by the second opinion",
                points(opinion[0]),
                range(opinion),
                agrees ? "agrees" : "does not agree",
              ],
            ]
          : []),
        ...(rule.risk_rows || []).slice(1),
      ],
    );
  }

  page.effectsTable = function (view, rule) {
    if (rule.nothing) return null;
    return rule.mean ? meanTable(view, rule) : oddsTable(view, rule);
  };
})(causalrules);
