/* The four kinds of matched pairs. */
(function (page) {
  "use strict";

  const KINDS = [
    ["only the exposed", "counts-for", 1],
    ["only its partner", "counts-against", 2],
    ["both", "silent", 0],
    ["neither", "silent", 3],
  ];

  page.pairsPlot = function (view, rule) {
    const most = Math.max(...rule.pairs, 1);
    const rows = KINDS.map(([label, className, place]) =>
      page.plotRow("li", label, page.strip(null, page.bar(rule.pairs[place] / most, className)), page.count(rule.pairs[place])));
    const who = rule.direction === "raises" ? "Who of a pair has " : "Who of a pair does not have ";
    return page.plot("pairs", [who, page.element("bdi", {}, view.outcome), "; pairs in grey end alike."],
      page.element("ol", { class: "rows" }, rows));
  };
})(causalrules);
