/* One rule in the table, with the row of its card below once that was opened. */
(function (page) {
  "use strict";

  const N_COLUMNS = 6;

  /** The first thing to mind, and how many more the card tells. */
  function mind(tags) {
    if (!tags) return null;
    const [[first], ...others] = tags;
    return page.element(
      "div",
      { class: "tags" },
      page.element("bdi", { class: "tag" }, first),
      others.length ? page.element("span", { class: "quiet" }, `and ${others.length} more`) : null,
    );
  }

  const narrow = (text) => page.element("span", { class: "narrow quiet" }, text);
  const numeric = (...content) => page.element("td", { class: "numeric wide" }, content);

  /** Exposed records that found partners, with their share where some did not. */
  const matched = (rule) =>
    page.count(rule.matched) + (rule.share_matched < 0.995 ? ` (${page.percent(rule.share_matched)})` : "");

  function cells(rule, name) {
    const isTested = rule.verdict !== "untestable" && !rule.nothing;
    const odds = isTested ? page.signed(rule, rule.adjusted[0]) : "–";
    const interval = isTested ? page.ratioInterval(rule, rule.adjusted) : "–";
    const verdict = page.element("span", { class: "verdict of-" + rule.verdict }, rule.verdict);
    return [
      page.element(
        "th",
        { scope: "row" },
        name,
        rule.reason ? page.element("div", { class: "quiet because" }, page.element("bdi", {}, rule.reason)) : mind(rule.tags),
        narrow(rule.verdict),
      ),
      page.element(
        "td",
        { class: "numeric" },
        page.element("span", { class: "odds " + rule.direction }, odds),
        narrow(interval),
      ),
      numeric(interval),
      numeric(rule.nothing ? "–" : page.signed(rule, rule.crude[0])),
      numeric(rule.nothing ? "–" : matched(rule)),
      page.element("td", { class: "wide" }, verdict),
    ];
  }

  page.RuleRow = class {
    constructor(view, rule, options) {
      Object.assign(this, { view, rule, options, cardRow: null });
      this.button = page.element(
        "button",
        { type: "button", class: "open", "aria-expanded": "false", onclick: () => this.toggle() },
        page.patternName(view, rule),
      );
      const attributes = { id: "rule-" + rule.id, class: "of-" + rule.verdict };
      this.node = page.element("tr", attributes, cells(rule, this.button));
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
