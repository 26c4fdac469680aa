/* Rules in a table that can be sorted and filtered; a rule opens its card. */
(function (page) {
  "use strict";

  const FIRST = 150;

  const orInfinite = (value) => (value === null || value === undefined ? Infinity : value);
  const COLUMNS = [
    { name: "Rule", key: (view, rule) => page.patternText(view, rule).toLowerCase(), start: "ascending" },
    {
      name: "Odds ratio",
      key: (view, rule) => orInfinite(rule.adjusted[0]),
      start: "descending",
      numeric: true,
    },
    {
      name: "Interval",
      key: (view, rule) => orInfinite(rule.adjusted[1]),
      start: "descending",
      numeric: true,
      wide: true,
    },
    {
      name: "Crude",
      key: (view, rule) => orInfinite(rule.crude[0]),
      start: "descending",
      numeric: true,
      wide: true,
    },
    {
      name: "Matched",
      key: (view, rule) => rule.matched,
      start: "descending",
      numeric: true,
      wide: true,
    },
    { name: "Verdict", key: (view, rule) => rule.verdict, start: "ascending", wide: true },
  ];

  const headingOf = (view, column) => (column.name === "Interval" ? view.interval + " interval" : column.name);

  /** These rules of a result as a table below a heading. */
  page.ruleTable = function (view, rules, heading, options) {
    const rows = new Map();
    /** A rule's row, made when it is first shown. */
    function rowOf(rule) {
      if (!rows.has(rule.id)) rows.set(rule.id, new page.RuleRow(view, rule, options));
      return rows.get(rule.id);
    }
    const filters = page.filters(view, rules, () => fill());
    const status = page.element("p", { class: "status", role: "status" });
    const body = page.element("tbody");
    const more = page.element("button", { type: "button", class: "more", onclick: () => showAll() });
    let sorting = { column: null, order: "descending" };

    const headers = COLUMNS.map((column) => {
      const button = page.element(
        "button",
        { type: "button", onclick: () => sortBy(column) },
        headingOf(view, column),
      );
      return page.element(
        "th",
        {
          scope: "col",
          class: (column.numeric ? "numeric " : "") + (column.wide ? "wide" : ""),
          "aria-sort": "none",
        },
        button,
      );
    });

    function sortBy(column) {
      const other = { ascending: "descending", descending: "ascending" };
      sorting = { column, order: sorting.column === column ? other[sorting.order] : column.start };
      headers.forEach((header, place) =>
        header.setAttribute("aria-sort", COLUMNS[place] === column ? sorting.order : "none"),
      );
      fill();
    }

    function sorted(rules) {
      if (!sorting.column) return rules;
      const keys = new Map(rules.map((rule) => [rule, sorting.column.key(view, rule)]));
      const sign = sorting.order === "ascending" ? 1 : -1;
      return [...rules].sort((a, b) => {
        const [left, right] = [keys.get(a), keys.get(b)];
        return sign * (left < right ? -1 : left > right ? 1 : 0) || a.id - b.id;
      });
    }

    function fill(most = FIRST) {
      const shown = sorted(rules.filter(filters.accepts));
      body.replaceChildren(...shown.slice(0, most).flatMap((rule) => rowOf(rule).nodes));
      more.hidden = shown.length <= most;
      more.textContent = `Show all ${page.count(shown.length)}`;
      status.textContent = `${page.count(shown.length)} of ${page.count(rules.length)} rule${rules.length === 1 ? "" : "s"}`;
    }

    const showAll = () => fill(Infinity);

    /** Open a rule's card, letting it pass the filters first if need be. */
    function open(id, { focus = true } = {}) {
      const row = rowOf(view.rules[id - 1]);
      if (!row.node.isConnected) filters.clear();
      if (!row.node.isConnected) showAll();
      row.toggle(true);
      if (focus) {
        row.node.scrollIntoView({ block: "start" });
        row.button.focus({ preventScroll: true });
      }
    }

    const has = (id) => rules.some((rule) => rule.id === id);
    const isOpen = (rule) => rows.has(rule.id) && rows.get(rule.id).isOpen;

    fill();
    const node = page.section(
      2,
      heading,
      "rules",
      filters.form,
      status,
      page.element(
        "table",
        { class: "rule-table" },
        page.element("caption", { class: "unseen" }, "Rules; each opens a card with its evidence"),
        page.element("thead", {}, page.element("tr", {}, headers)),
        body,
      ),
      more,
    );
    return { node, open, has, isOpen, showAll };
  };
})(causalrules);
