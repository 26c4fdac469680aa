/* How strong a hidden cause would have to be; how steady the verdict is. */
(function (page) {
  "use strict";

  const FURTHEST = 16;

  function strength(label, value, shape, axis) {
    return page.plotRow("li", label,
      page.strip(axis, page.span(axis, 1, value, "reach"), page.mark(axis, value, shape, "after", 5)),
      page.number(value));
  }

  page.hiddenPlot = function (rule) {
    const values = [rule.gamma, rule.e_value, rule.e_value_limit].map((one) => (one === undefined || one === null ? FURTHEST : one));
    const axis = page.ratioAxis(1, Math.min(FURTHEST, Math.max(4, ...values)));
    const given = (value) => (value === undefined ? null : value);
    return page.plot("hidden", "The further to the right, the stronger a hidden cause would have to be; 1 means none is needed.",
      page.axisRow(axis),
      page.element("ol", { class: "rows" },
        strength("Γ*", given(rule.gamma), "diamond", axis),
        strength("E-value", given(rule.e_value), "square", axis),
        strength("E-value of the limit", given(rule.e_value_limit), "circle", axis)));
  };

  page.stabilityPlot = function (rule) {
    const shares = [["random pairings", rule.stability], ["resampled tables", rule.bootstrap]].filter(([, share]) => share !== undefined);
    return page.plot("stability", "Share in which the rule is causal.",
      page.element("ol", { class: "rows" }, shares.map(([label, share]) =>
        page.plotRow("li", label, page.strip(null, page.bar(1, "lonely"), page.bar(share, "found")), page.percent(share)))));
  };
})(causalrules);
