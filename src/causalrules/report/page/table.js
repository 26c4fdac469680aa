/* All rules tested, in a table that can be sorted and filtered; a rule opens its card. */
(function (page) {
  "use strict";

  const orInfinite = (value) => (value === null || value === undefined ? Infinity : value);
  const COLUMNS = [
    { name: "Rule", key: (view, rule) => page.patternText(view, rule).toLowerCase(), start: "ascending" },
    { name: "Odds", key: (view, rule) => orInfinite(rule.adjusted[0]), start: "descending", numeric: true },
    { name: "Interval", key: (view, rule) => orInfinite(rule.adjusted[1]), start: "descending", numeric: true, wide: true },
    { name: "Crude", key: (view, rule) => orInfinite(rule.crude[0]), start: "descending", numeric: true, wide: true },
    { name: "Pairs", key: (view, rule) => rule.n_pairs, start: "descending", numeric: true, wide: true },
    { name: "Γ*", key: (view, rule) => orInfinite(rule.gamma), start: "descending", numeric: true, wide: true },
    { name: "Verdict", key: (view, rule) => rule.verdict, start: "ascending", wide: true },
  ];

  function cells(view, rule, toggle) {
    const isTested = rule.n_pairs > 0;
    const shown = (text) => (isTested ? text : "–");
    const name = page.element("button", { type: "button", class: "open", "aria-expanded": "false", onclick: toggle }, page.patternName(view, rule));
    const tags = (rule.tags || []).map(([tag]) => page.element("bdi", { class: "tag" }, tag));
    const odds = page.element("span", { class: "odds " + rule.direction }, shown(page.signed(rule, rule.adjusted[0])));
    return { name, row: [
      page.element("th", { scope: "row" }, name, " ", tags, page.element("span", { class: "narrow quiet" }, rule.verdict === "causal" ? null : rule.verdict)),
      page.element("td", { class: "numeric" }, odds, page.element("span", { class: "narrow quiet" }, shown(page.interval(rule.adjusted)))),
      page.element("td", { class: "numeric wide" }, shown(page.interval(rule.adjusted))),
      page.element("td", { class: "numeric wide" }, page.number(rule.crude[0])),
      page.element("td", { class: "numeric wide" }, page.count(rule.n_pairs)),
      page.element("td", { class: "numeric wide" }, rule.verdict === "causal" ? page.number(rule.gamma) : "–"),
      page.element("td", { class: "wide" }, page.element("span", { class: "verdict of-" + rule.verdict }, rule.verdict)),
    ] };
  }

  /** One rule's row, with the row of its card below once that was opened. */
  class RuleRow {
    constructor(view, rule, options) {
      Object.assign(this, { view, rule, options, cardRow: null });
      const { name, row } = cells(view, rule, () => this.toggle());
      this.button = name;
      this.node = page.element("tr", { id: "rule-" + rule.id, class: "of-" + rule.verdict }, row);
    }

    get isOpen() { return this.button.getAttribute("aria-expanded") === "true"; }

    get nodes() { return this.isOpen ? [this.node, this.cardRow] : [this.node]; }

    toggle(open = !this.isOpen) {
      if (open && !this.cardRow) {
        this.cardRow = page.element("tr", { class: "card-row" },
          page.element("td", { colspan: COLUMNS.length }, page.card(this.view, this.rule, this.options)));
      }
      this.button.setAttribute("aria-expanded", String(open));
      if (open && this.node.parentNode) this.node.after(this.cardRow);
      else if (this.cardRow) this.cardRow.remove();
    }
  }

  page.ruleTable = function (view, options) {
    const rows = new Map(view.rules.map((rule) => [rule.id, new RuleRow(view, rule, options)]));
    const filters = page.filters(view, () => fill());
    const status = page.element("p", { class: "status", role: "status" });
    const body = page.element("tbody");
    let sorting = { column: null, order: "descending" };

    const headers = COLUMNS.map((column) => {
      const button = page.element("button", { type: "button", onclick: () => sortBy(column) },
        column.name === "Interval" ? view.interval + " interval" : column.name);
      return page.element("th", { scope: "col", class: (column.numeric ? "numeric " : "") + (column.wide ? "wide" : ""), "aria-sort": "none" }, button);
    });

    function sortBy(column) {
      const other = { ascending: "descending", descending: "ascending" };
      sorting = { column, order: sorting.column === column ? other[sorting.order] : column.start };
      headers.forEach((header, place) => header.setAttribute("aria-sort", COLUMNS[place] === column ? sorting.order : "none"));
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

    function fill() {
      const shown = sorted(view.rules.filter(filters.accepts));
      body.replaceChildren(...shown.flatMap((rule) => rows.get(rule.id).nodes));
      status.textContent = `${page.count(shown.length)} of ${page.count(view.rules.length)} rules`;
    }

    /** Open a rule's card, letting it pass the filters first if need be. */
    function open(id, { focus = true } = {}) {
      const row = rows.get(id);
      if (!row) return false;
      if (!row.node.isConnected) filters.clear();
      row.toggle(true);
      if (focus) {
        row.node.scrollIntoView({ block: "start" });
        row.button.focus({ preventScroll: true });
      }
      return true;
    }

    fill();
    const node = page.section(2, "All rules tested", "rules", filters.form, status,
      page.element("div", { class: "scroll-wide" },
        page.element("table", { class: "rule-table" },
          page.element("caption", { class: "unseen" }, "Rules; each opens a card with its evidence"),
          page.element("thead", {}, page.element("tr", {}, headers)), body)),
      page.element("p", { class: "quiet" }, view.gamma));
    return { node, open, rows };
  };
})(causalrules);
