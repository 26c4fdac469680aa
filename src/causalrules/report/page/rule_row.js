/* One rule in the table, with the row of its card below once that was opened. */
(function (page) {
  "use strict";

  const N_COLUMNS = 7;

  function cells(view, rule, toggle) {
    const isTested = rule.verdict !== "untestable";
    const shown = (text) => (isTested ? text : "–");
    const name = page.element(
      "button",
      { type: "button", class: "open", "aria-expanded": "false", onclick: toggle },
      page.patternName(view, rule),
    );
    const tags = (rule.tags || []).map(([tag]) => page.element("bdi", { class: "tag" }, tag));
    const odds = page.element(
      "span",
      { class: "odds " + rule.direction },
      shown(page.signed(rule, rule.adjusted[0])),
    );
    return {
      name,
      row: [
        page.element(
          "th",
          { scope: "row" },
          name,
          " ",
          tags,
          page.element("span", { class: "narrow quiet" }, rule.verdict === "causal" ? null : rule.verdict),
        ),
        page.element(
          "td",
          { class: "numeric" },
          odds,
          page.element("span", { class: "narrow quiet" }, shown(page.interval(rule.adjusted))),
        ),
        page.element("td", { class: "numeric wide" }, shown(page.interval(rule.adjusted))),
        page.element("td", { class: "numeric wide" }, page.number(rule.crude[0])),
        page.element("td", { class: "numeric wide" }, page.count(rule.n_pairs)),
        page.element("td", { class: "numeric wide" }, rule.hidden ? page.number(rule.hidden[0]) : "–"),
        page.element(
          "td",
          { class: "wide" },
          page.element("span", { class: "verdict of-" + rule.verdict }, rule.verdict),
        ),
      ],
    };
  }

  page.RuleRow = class {
    constructor(view, rule, options) {
      Object.assign(this, { view, rule, options, cardRow: null });
      const { name, row } = cells(view, rule, () => this.toggle());
      this.button = name;
      this.node = page.element("tr", { id: "rule-" + rule.id, class: "of-" + rule.verdict }, row);
    }

    get isOpen() {
      return this.button.getAttribute("aria-expanded") === "true";
    }

    get nodes() {
      return this.isOpen ? [this.node, this.cardRow] : [this.node];
    }

    toggle(open = !this.isOpen) {
      if (open && !this.cardRow) {
        this.cardRow = page.element(
          "tr",
          { class: "card-row" },
          page.element("td", { colspan: N_COLUMNS }, page.card(this.view, this.rule, this.options)),
        );
      }
      this.button.setAttribute("aria-expanded", String(open));
      if (open && this.node.parentNode) this.node.after(this.cardRow);
      else if (this.cardRow) this.cardRow.remove();
    }
  };
})(causalrules);
