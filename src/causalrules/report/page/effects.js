/* The sizes of an effect, as a small table. */
(function (page) {
  "use strict";

  page.effectsTable = function (view, rule) {
    const rows = [
      ["odds ratio", page.number(rule.adjusted[0]), page.interval(rule.adjusted), page.number(rule.crude[0])],
      ["risk ratio", page.number(rule.risk_ratio[0]), page.interval(rule.risk_ratio), page.number(rule.crude_risk_ratio)],
      ["risk difference", page.points(rule.risk_difference[0]),
        page.points(rule.risk_difference[1]).replace(" points", "") + " – " + page.points(rule.risk_difference[2]).replace(" points", ""),
        page.points(rule.crude_risk_difference)],
    ];
    const head = ["", "matched", view.interval + " interval", "crude"];
    const tested = `${rule.test} test, p = ${page.probability(rule.p)}` +
      (rule.q === undefined ? "" : `, corrected ${page.probability(rule.q)}`);
    const sense = rule.direction === "lowers" ? "Odds and risks of not having the outcome. " : "";
    return page.element("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": "effect sizes" },
      page.element("table", { class: "small" },
        page.element("caption", {}, sense + tested),
        page.element("thead", {}, page.element("tr", {}, head.map((text) => page.element(text ? "th" : "td", text ? { scope: "col" } : {}, text)))),
        page.element("tbody", {}, rows.map(([name, ...values]) =>
          page.element("tr", {}, page.element("th", { scope: "row" }, name), values.map((value) => page.element("td", {}, value)))))));
  };
})(causalrules);
