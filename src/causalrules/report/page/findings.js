/* The findings: what is known about each column, and its contrasts, each once; a contrast opens its card. */
(function (page) {
  "use strict";

  const WAYS = {
    cause: ["→", "not a consequence"],
    effect: ["←", "comes after"],
    undecided: ["?", "order not known"],
  };

  /** Which way the arrow points, in a sign and in words. */
  function way({ arrow }) {
    if (!arrow) return null;
    const [sign, words] = WAYS[arrow];
    return page.element(
      "span",
      { class: "way of-" + arrow },
      page.element("span", { "aria-hidden": "true" }, sign),
      " " + words,
    );
  }

  /** The probability of standing next to the outcome, as a bar and a number. */
  function probability({ p_next: p }) {
    if (p === null) return null;
    const text = p < 0.01 ? "below 0.01" : p.toFixed(2);
    return page.element(
      "span",
      { class: "probability", title: "Probability of a direct link to the outcome, with no other column in between" },
      page.element("span", { class: "quiet" }, "P "),
      page.strip(null, page.bar(1, "lonely"), page.bar(p, "found")),
      page.element("span", {}, text),
    );
  }

  /** The names of a finding's columns. */
  page.findingName = ({ columns, between }) =>
    columns.map((name, place) => [place ? between : "", page.anyName(name)]);

  function tags(rule) {
    if (!rule.tags) return null;
    return page.element(
      "div",
      { class: "tags" },
      rule.tags.map(([tag]) => page.element("bdi", { class: "tag" }, tag)),
    );
  }

  const plain = (share) => page.points(share).replace(" points", "");

  /** The risk difference by matching and, beside it, by the second opinion. */
  function opinions(rule) {
    const [opinion, agrees] = rule.opinion || [null, true];
    if (rule.mean)
      return page.element(
        "span",
        { class: "opinions" },
        page.element("span", { class: "quiet" }, "second opinion "),
        page.difference(opinion[0]),
        agrees ? null : page.element("span", { class: "tag" }, "differs"),
      );
    if (!rule.risk_difference) return null;
    const own = rule.direction === "raises" ? rule.risk_difference[0] : -rule.risk_difference[0];
    return page.element(
      "span",
      { class: "opinions" },
      "risk ",
      page.points(own),
      opinion ? [page.element("span", { class: "quiet" }, " · second opinion "), plain(opinion[0])] : null,
      agrees ? null : page.element("span", { class: "tag" }, "differs"),
    );
  }

  function numbers(view, rule) {
    if (rule.nothing) return page.element("span", { class: "quiet" }, "nothing to compare");
    if (rule.verdict === "untestable")
      return page.element("span", { class: "quiet" }, "crude ", page.signed(rule, rule.crude[0]));
    return [
      page.element(
        "span",
        {},
        page.element("strong", { class: "odds " + rule.direction }, page.signed(rule, rule.adjusted[0])),
        ` (${page.ratioInterval(rule, rule.adjusted)})`,
        page.element("span", { class: "quiet" }, " crude " + page.signed(rule, rule.crude[0])),
      ),
      opinions(rule),
    ];
  }

  class Contrast {
    constructor(view, rule, axis, options) {
      Object.assign(this, { view, rule, options, card: null });
      this.button = page.element(
        "button",
        { type: "button", class: "open", "aria-expanded": "false", onclick: () => this.toggle() },
        page.patternName(view, rule),
      );
      const grade = rule.grade
        ? page.element("span", { class: "grade of-" + rule.grade }, rule.grade)
        : page.element("span", { class: "quiet" }, rule.verdict === "causal" ? "" : rule.verdict);
      const strip = rule.verdict === "untestable" || rule.nothing ? page.strip(axis) : page.oddsStrip(rule, axis);
      const row = page.plotRow("div", [this.button, tags(rule)], strip, numbers(view, rule));
      row.append(page.element("div", { class: "graded" }, grade));
      this.node = page.element("li", { id: "rule-" + rule.id, class: "contrast of-" + rule.verdict }, row);
    }

    get isOpen() {
      return this.button.getAttribute("aria-expanded") === "true";
    }

    toggle(open = !this.isOpen) {
      if (open && !this.card) {
        const card = page.card(this.view, this.rule, this.options);
        this.card = page.element("div", { class: "card-below" }, card);
      }
      this.button.setAttribute("aria-expanded", String(open));
      if (open) this.node.append(this.card);
      else if (this.card) this.card.remove();
    }
  }

  /** What the parts of a combined cause do together, visible without opening anything. */
  function together(view, rule) {
    if (!rule.together) return null;
    return page.element(
      "div",
      { class: "in-short" },
      page.element("p", { class: "reading" }, rule.together.reading),
      page.togetherPlot(view, rule),
    );
  }

  /** How the odds go from level to level of a column, visible without opening anything. */
  function dose(view, rule) {
    if (!rule.dose) return null;
    return page.element(
      "div",
      { class: "in-short" },
      page.element("p", { class: "reading" }, page.element("bdi", {}, rule.dose.reading)),
      page.doseSketch(view, rule),
    );
  }

  /** All sections of findings; `contrasts` has them by the number of their rule. */
  page.findings = function (view, options) {
    const contrasts = new Map();
    const ruleOf = (id) => view.rules[id - 1];
    const all = view.findings.flatMap((section) => section.findings.flatMap((finding) => finding.rules.map(ruleOf)));
    const drawn = all.filter((rule) => rule.verdict !== "untestable");
    const axis = page.oddsAxis(drawn);

    function block(finding) {
      const rules = finding.rules.map(ruleOf);
      const rows = rules.map((rule) => {
        const contrast = new Contrast(view, rule, axis, options);
        contrasts.set(rule.id, contrast);
        return contrast.node;
      });
      return page.element(
        "article",
        { class: "finding" },
        page.element("div", { class: "finding-head" }, page.element("h3", {}, page.findingName(finding)), way(finding), probability(finding)),
        finding.why ? page.element("p", { class: "quiet why-so" }, "Why: ", page.element("bdi", {}, finding.why)) : null,
        page.element("ol", { class: "rows contrasts" }, rows),
        rules.map((rule) => [together(view, rule), dose(view, rule)]),
      );
    }

    const firstWithFindings = view.findings.find(({ findings }) => findings.length);
    const sectionOf = (section) => {
      const { kind, title, note, findings } = section;
      return page.section(
        2,
        kind === "study" || !findings.length ? title : `${title} (${findings.length})`,
        "findings of-" + kind,
        note ? page.element("p", { class: "note" }, note) : null,
        section === firstWithFindings ? page.oddsKeys(view, drawn, axis) : null,
        findings.length ? page.plot("ratio", null, page.axisRow(axis), findings.map(block)) : null,
      );
    };
    const nodes = view.findings.map(sectionOf);

    /** Open the card of a rule, and bring it into view. */
    function open(id, { focus = true } = {}) {
      const contrast = contrasts.get(id);
      contrast.toggle(true);
      if (!focus) return;
      contrast.node.scrollIntoView({ block: "start" });
      contrast.button.focus({ preventScroll: true });
    }

    return {
      nodes,
      open,
      has: (id) => contrasts.has(id),
      isOpen: (rule) => contrasts.has(rule.id) && contrasts.get(rule.id).isOpen,
    };
  };

  /** How to read the numbers, folded. */
  page.howToRead = (view) =>
    view.legend.length
      ? page.element(
          "details",
          { class: "how-to-read" },
          page.element("summary", {}, "How to read these numbers"),
          page.element(
            "ul",
            { class: "legend quiet" },
            view.legend.map((text) => page.element("li", {}, text)),
          ),
        )
      : null;
})(causalrules);
