/* One result, drawn into one element. */
(function (page) {
  "use strict";

  const PRINTED_CARDS = 30;

  function openFromAddress(table) {
    const found = /^#rule-(\d+)$/.exec(location.hash);
    if (found) table.open(Number(found[1]));
  }

  /** Before printing: every row of the forest, every folded part, and the cards of the strongest rules. */
  function unfold(element, view, table, forest) {
    if (forest) forest.showAll();
    view.rules.filter((rule) => rule.verdict === "causal").slice(0, PRINTED_CARDS).forEach((rule) => table.open(rule.id, { focus: false }));
    element.querySelectorAll("details").forEach((one) => { one.open = true; });
  }

  let stopListening = () => {};

  /** Draw everything about a result, replacing what was there. `options.onPickItem(items)` hears picked items. */
  page.showResult = function (element, view, options = {}) {
    stopListening();
    const table = page.ruleTable(view, options);
    const forest = page.forest(view);
    element.replaceChildren(
      ...[page.answer(view), forest && forest.node, table.node, page.funnel(view), page.about(view)].filter(Boolean));
    const listeners = new AbortController();
    const { signal } = listeners;
    stopListening = () => listeners.abort();
    window.addEventListener("hashchange", () => openFromAddress(table), { signal });
    window.addEventListener("beforeprint", () => unfold(element, view, table, forest), { signal });
    element.addEventListener("click", (event) => {
      const link = event.target.closest('a[href^="#rule-"]');
      if (link && link.getAttribute("href") === location.hash) openFromAddress(table);
    }, { signal });
    if (view.is_single) table.open(1, { focus: false });
    openFromAddress(table);
  };
})(causalrules);
