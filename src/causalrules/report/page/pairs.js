/* The four kinds of matched pairs: those that end differently tell about the effect, the others do not. */
(function (page) {
  "use strict";

  const GROUPS = [
    [
      "Pairs that end differently",
      [
        ["only the exposed", 1, "counts-for"],
        ["only its partner", 2, "counts-against"],
      ],
    ],
    [
      "Pairs that end alike",
      [
        ["both", 0, "silent"],
        ["neither", 3, "silent"],
      ],
    ],
  ];

  function group(rule, [heading, kinds]) {
    const most = Math.max(1, ...kinds.map(([, place]) => rule.pairs[place]));
    const rows = kinds.map(([label, place, className]) =>
      page.plotRow(
        "li",
        label,
        page.strip(null, page.bar(rule.pairs[place] / most, `${className} ${rule.direction}`)),
        page.count(rule.pairs[place]),
      ),
    );
    return page.element(
      "div",
      {},
      page.element("h4", {}, heading),
      page.element("ol", { class: "rows" }, rows),
    );
  }

  page.pairsPlot = function (view, rule) {
    const who = rule.direction === "raises" ? "Who of a pair has " : "Who of a pair does not have ";
    return page.plot(
      "pairs",
      [who, page.element("bdi", {}, view.outcome), "; bars are to scale within each group."],
      GROUPS.map((one) => group(rule, one)),
    );
  };
})(causalrules);
