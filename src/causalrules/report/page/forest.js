/* The forest: what each rule does to the odds, before and after matching, strongest first. */
(function (page) {
  "use strict";

  const FIRST = 10;
  const COVERED = 0.95;
  const WIDEST = 2 ** 10;

  /** An estimate as a factor on the odds of the outcome: below 1 for what lowers them. */
  function factor(rule, estimate) {
    if (rule.direction === "raises") return estimate;
    const turned = ([value, low, high]) => [value, high, low].map((one) => (one === null ? 0 : one > 0 ? 1 / one : null));
    return turned(estimate);
  }

  /** Far enough for nearly all intervals; what lies beyond is an arrow. */
  function reach(factors) {
    const sizes = factors.map((one) => Math.min(WIDEST, one)).sort((a, b) => a - b);
    return Math.max(2, sizes[Math.ceil(COVERED * sizes.length) - 1] || 2);
  }

  function axisFor(rules) {
    const ends = rules.flatMap((rule) => [factor(rule, rule.crude)[0], ...factor(rule, rule.adjusted)]);
    const finite = ends.filter((one) => one !== null && one > 0);
    return page.ratioAxis(reach(finite.filter((one) => one < 1).map((one) => 1 / one)), reach(finite.filter((one) => one > 1)));
  }

  function strip(rule, axis) {
    const adjusted = factor(rule, rule.adjusted), crude = factor(rule, rule.crude);
    return page.strip(
      axis,
      page.span(axis, crude[0], adjusted[0], "shrink", 6),
      page.mark(axis, crude[0], "circle", "crude", 3.5, 6),
      page.span(axis, adjusted[1], adjusted[2], rule.direction, -3),
      page.mark(axis, adjusted[0], "square", "adjusted " + rule.direction, 4, -3),
    );
  }

  function row(view, rule, axis) {
    const text = [
      page.element("strong", {}, page.signed(rule, rule.adjusted[0])),
      page.element("span", {}, page.interval(rule.adjusted)),
      page.element("span", { class: "quiet" }, page.element("span", { class: "narrow" }, "crude "), page.signed(rule, rule.crude[0])),
    ];
    const link = page.element("a", { href: "#rule-" + rule.id }, page.patternName(view, rule));
    return page.plotRow("li", link, strip(rule, axis), text, "of-" + rule.verdict);
  }

  function group(view, rules, axis, heading) {
    const list = page.element("ol", { class: "rows" }, rules.slice(0, FIRST).map((rule) => row(view, rule, axis)));
    const rest = rules.slice(FIRST);
    function showRest() {
      list.append(...rest.splice(0).map((rule) => row(view, rule, axis)));
      if (more) more.remove();
    }
    const more = rest.length
      ? page.element("button", { type: "button", class: "more", onclick: showRest }, `Show all ${rules.length}`)
      : null;
    return { node: page.element("div", { class: "group" }, page.element("h3", {}, heading), list, more), showRest };
  }

  const byStrength = (a, b) => (b.adjusted[1] || 0) - (a.adjusted[1] || 0);

  /** The plot, and a function that shows every row (for print). */
  page.forest = function (view) {
    const causal = view.rules.filter((rule) => rule.verdict === "causal");
    const shown = causal.length ? causal : view.rules.filter((rule) => rule.n_pairs > 0);
    if (!shown.length) return null;
    const axis = axisFor(shown);
    const groups = ["raises", "lowers"].map((direction) => {
      const rules = shown.filter((rule) => rule.direction === direction).sort(byStrength);
      const verb = causal.length ? (direction === "raises" ? "Raises the odds" : "Lowers the odds")
        : (direction === "raises" ? "Goes with more" : "Goes with less");
      return rules.length ? group(view, rules, axis, `${verb} (${rules.length})`) : null;
    }).filter(Boolean);
    const keys = page.element("p", { class: "keys" },
      page.key("square", "adjusted raises", `adjusted: among matched pairs, with its ${view.interval} interval`),
      page.key("circle", "crude", "crude: without matching"));
    const heading = causal.length ? "What each cause does to the odds" : "What was left of the associations";
    const node = page.section(2, heading, "forest", keys,
      page.plot("ratio", null, page.axisRow(axis, ["odds", view.interval + " interval", "crude"]), groups.map((one) => one.node)));
    return { node, showAll: () => groups.forEach((one) => one.showRest()) };
  };
})(causalrules);
