/* The answer in words. */
(function (page) {
  "use strict";

  function namedRule(view, id) {
    const rule = view.rules[id - 1];
    return page.element(
      "a",
      { href: "#rule-" + id },
      page.patternName(view, rule),
      " (" + page.signed(rule, rule.adjusted[0]) + ")",
    );
  }

  /** `× 3.30` or `÷ 2.97`: what the pattern does to the odds of the outcome. */
  page.signed = (rule, ratio) => (rule.direction === "raises" ? "×\u00a0" : "÷\u00a0") + page.number(ratio);

  function strongest(view) {
    return view.answer.strongest.map(({ lead, rules }) =>
      page.element(
        "div",
        { class: "strongest" },
        page.element("p", {}, lead),
        page.element(
          "ol",
          {},
          rules.map((id) => page.element("li", {}, namedRule(view, id))),
        ),
      ),
    );
  }

  page.answer = (view) =>
    page.element(
      "header",
      { class: "answer" },
      page.element("h1", {}, view.answer.title),
      page.element("p", { class: "lead" }, view.answer.lead),
      page.element("div", { class: "strongest-two" }, strongest(view)),
      view.answer.cautions.length
        ? page.element(
            "ul",
            { class: "cautions" },
            view.answer.cautions.map((text) => page.element("li", {}, text)),
          )
        : null,
    );
})(causalrules);
