/* How strong a hidden cause would have to be. */
(function (page) {
  "use strict";

  const FURTHEST = 16;

  function strength(label, value, shape, axis) {
    return page.plotRow(
      "li",
      label,
      page.strip(axis, page.span(axis, 1, value, "reach"), page.mark(axis, value, shape, "after", 5)),
      page.number(value),
    );
  }

  page.hiddenPlot = function (rule) {
    const [gamma, eValue, limit] = rule.hidden;
    const most = Math.max(...rule.hidden.map((one) => (one === null ? FURTHEST : one)));
    const axis = page.ratioAxis(1, Math.min(FURTHEST, Math.max(4, most)));
    return page.plot(
      "hidden",
      "The further to the right, the stronger a hidden cause would have to be; 1 means none is needed.",
      page.axisRow(axis),
      page.element(
        "ol",
        { class: "rows" },
        strength("Γ*", gamma, "diamond", axis),
        strength("E-value", eValue, "square", axis),
        strength("E-value of the limit", limit, "circle", axis),
      ),
    );
  };
})(causalrules);
