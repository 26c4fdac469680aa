/* One result, drawn into one element. */
(function (page) {
  "use strict";

  function openFromAddress(table) {
    const found = /^#rule-(\d+)$/.exec(location.hash);
    if (found) table.open(Number(found[1]));
  }

  /** Follow links to rules, also to the one the address already names; be ready for print. */
  function listen(element, view, parts, options, signal) {
    const { table } = parts;
    window.addEventListener("hashchange", () => openFromAddress(table), { signal });
    element.addEventListener(
      "click",
      (event) => {
        const link = event.target.closest('a[href^="#rule-"]');
        if (link && link.getAttribute("href") === location.hash) openFromAddress(table);
      },
      { signal },
    );
    let foldAgain = () => {};
    window.addEventListener(
      "beforeprint",
      () => {
        foldAgain = page.unfold(element, view, parts, options);
      },
      { signal },
    );
    window.addEventListener("afterprint", () => foldAgain(), { signal });
  }

  let listeners = new AbortController();

  /** Draw everything about a result, replacing what was there. `options.onPickItem(items)` hears picked items. */
  page.showResult = function (element, view, options = {}) {
    listeners.abort();
    listeners = new AbortController();
    const parts = { table: page.ruleTable(view, options), forest: page.forest(view) };
    const sections = [
      page.answer(view),
      parts.forest && parts.forest.node,
      parts.table.node,
      page.funnel(view),
      page.about(view),
    ];
    element.replaceChildren(...sections.filter(Boolean));
    listen(element, view, parts, options, listeners.signal);
    if (view.is_single) parts.table.open(1, { focus: false });
    openFromAddress(parts.table);
  };
})(causalrules);
