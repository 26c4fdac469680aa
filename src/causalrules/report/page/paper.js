/* The page on paper: every row, every folded part, and the evidence for the strongest rules after the table. */
(function (page) {
  "use strict";

  const STRONGEST = 10;

  function evidence(view, isOpen, options) {
    const strongest = view.rules.filter((rule) => rule.verdict === "causal").slice(0, STRONGEST);
    const printed = view.rules.filter((rule) => strongest.includes(rule) || isOpen(rule));
    if (!printed.length) return null;
    const note = `The first ${strongest.length} causal rules, and those whose cards were open when this was printed.`;
    return page.section(
      2,
      "Evidence",
      "evidence",
      page.element("p", { class: "quiet" }, note),
      printed.map((rule) =>
        page.section(3, page.patternName(view, rule), "", page.card(view, rule, options)),
      ),
    );
  }

  /** Make everything visible; gives the function that undoes it. */
  page.unfold = function (element, view, parts, options) {
    parts.showAll();
    const cards = evidence(view, parts.isOpen, options);
    if (cards) parts.last.after(cards);
    const folded = [...element.querySelectorAll("details:not([open], .stays-folded)")];
    folded.forEach((one) => {
      one.open = true;
    });
    return function foldAgain() {
      if (cards) cards.remove();
      folded.forEach((one) => {
        one.open = false;
      });
    };
  };
})(causalrules);
