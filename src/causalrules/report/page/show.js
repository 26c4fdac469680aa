/* One result, drawn into one element. */
(function (page) {
  "use strict";

  function openFromAddress(parts) {
    const found = /^#rule-(\d+)$/.exec(location.hash);
    if (found) parts.open(Number(found[1]));
  }

  /** Follow links to rules, also to the one the address already names; be ready for print. */
  function listen(element, view, parts, options, signal) {
    window.addEventListener("hashchange", () => openFromAddress(parts), { signal });
    element.addEventListener(
      "click",
      (event) => {
        const link = event.target.closest('a[href^="#rule-"]');
        if (link && link.getAttribute("href") === location.hash) openFromAddress(parts);
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

  /** Findings first, and after them what was not found. */
  function byFindings(view, options) {
    const findings = page.findings(view, options);
    const others = view.rules.filter((rule) => !findings.has(rule.id));
    const heading = `Rejected, or not testable (${others.length})`;
    const table = others.length ? page.ruleTable(view, others, heading, options) : null;
    return {
      nodes: [
        view.is_single ? null : page.neighbourhood(view),
        ...findings.nodes,
        page.howToRead(view),
        table && table.node,
      ],
      lists: [findings, table],
      showAll: () => table && table.showAll(),
    };
  }

  let listeners = new AbortController();

  /** Draw everything about a result, replacing what was there. `options.onPickItem(items)` hears picked items. */
  page.showResult = function (element, view, options = {}) {
    listeners.abort();
    listeners = new AbortController();
    const drawn = byFindings(view, options);
    const columns = page.columnAnswers(view);
    const lists = drawn.lists.filter(Boolean);
    const parts = {
      open(id, how) {
        const list = lists.find((one) => one.has(id));
        if (list) list.open(id, how);
      },
      isOpen: (rule) => lists.some((list) => list.isOpen(rule)),
      showAll() {
        drawn.showAll();
        if (columns) columns.showAll();
      },
      last: drawn.nodes.findLast(Boolean),
    };
    const sections = [page.answer(view), ...drawn.nodes, columns && columns.node, page.writeUp(view), page.funnel(view), page.about(view)];
    element.replaceChildren(...sections.filter(Boolean));
    listen(element, view, parts, options, listeners.signal);
    if (view.is_single) parts.open(1, { focus: false });
    openFromAddress(parts);
  };
})(causalrules);
