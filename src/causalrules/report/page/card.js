/* The evidence for one rule, on one card. */
(function (page) {
  "use strict";

  function part(heading, reading, ...content) {
    const children = content.filter(Boolean);
    if (!reading && !children.length) return null;
    return page.section(
      3,
      heading,
      "part",
      reading ? page.element("p", { class: "reading" }, reading) : null,
      children,
    );
  }

  function tags(rule) {
    if (!rule.tags) return null;
    return page.element(
      "ul",
      { class: "mind" },
      rule.tags.map(([tag, meaning]) =>
        page.element("li", {}, page.element("bdi", { class: "tag" }, tag), " ", meaning),
      ),
    );
  }

  /** How the study was done, point by point. */
  function facts(rule) {
    const shown = rule.facts.filter(([name]) => !["second opinion", "sensitivity", "balance", "together"].includes(name));
    const lines = shown.map(([name, texts]) => [
      page.element("dt", {}, name),
      texts.map((text) => page.element("dd", {}, text)),
    ]);
    return part("How it was studied", null, page.element("dl", { class: "facts" }, lines));
  }

  function grade(rule) {
    if (!rule.criteria) return null;
    return part(
      `Grade: ${rule.grade}`,
      "The weakest criterion decides.",
      page.smallTable("Criteria of the grade", ["", "value", "says", "bounds"], rule.criteria, "words"),
    );
  }

  function headOf(view, rule, options) {
    const picked = () =>
      options.onPickItem(
        rule.pattern.map((number) => ({ column: view.items[number][0], value: view.items[number][1] })),
      );
    return page.element(
      "div",
      { class: "card-head" },
      page.element(
        "div",
        { class: "chips" },
        rule.pattern.map((number) => page.itemChip(view, number, options)),
      ),
      options.onPickItem
        ? page.element("button", { type: "button", class: "ask", onclick: picked }, "Ask about this pattern")
        : null,
      page.element("a", { class: "permalink", href: "#rule-" + rule.id }, `Link to rule ${rule.id}`),
    );
  }

  const flow = (view, rule) => rule.flow && part("Participant flow", null, page.flowChart(view, rule));

  function estimates(view, rule) {
    const { dose, subgroups } = rule;
    return [
      dose && part("Level by level", dose.reading, page.doseRows(view, rule)),
      subgroups && part("Subgroups", null, subgroups.readings.map((text) => page.element("p", { class: "reading" }, page.element("bdi", {}, text))), page.subgroupRows(view, rule)),
    ];
  }

  /** Table 1: in the page, asked for where somebody can give it, or how to get it. */
  function tableOne(view, rule, options) {
    const { table_one: table } = rule;
    if (table) {
      const summary = page.element("summary", {}, page.tableOneInShort(table));
      // On paper it would take a page and a half for each of ten cards: there only that of a single study is opened.
      const attributes = { class: view.is_single ? null : "stays-folded" };
      return part("Table 1", null, page.element("details", attributes, summary, page.tableOne(table)));
    }
    if (rule.verdict === "untestable") return null;
    if (options.tableOne) return part("Table 1 and matched records", null, options.tableOne(rule));
    if (!view.how_to_describe) return null;
    return part("Table 1", null, page.element("p", { class: "quiet" }, view.how_to_describe));
  }

  /** The parts in two columns of about the same height. */
  function columnsOf(view, rule, options) {
    const { readings } = rule;
    const columns = [
      [
        part("Size of the effect", readings.effect, readings.effect && page.effectsTable(view, rule)),
        rule.together && part("Together", rule.together.reading, page.togetherPlot(view, rule)),
        grade(rule),
        part("Hidden confounders", readings.hidden, rule.hidden && page.hiddenPlot(rule)),
        flow(view, rule),
      ],
      [
        facts(rule),
        part("Balance", readings.balance, rule.balance && page.balancePlot(view, rule, options)),
        part("Who was matched", readings.partners, rule.unmatched && page.unmatchedTable(view, rule, options)),
      ],
    ];
    return columns.map((parts) => page.element("div", {}, parts));
  }

  /** The card; it is built when somebody opens it. */
  page.card = function (view, rule, options) {
    return page.element(
      "article",
      { class: "card of-" + rule.verdict },
      headOf(view, rule, options),
      page.element("p", { class: "sentence" }, rule.sentence),
      tags(rule),
      rule.reason ? page.element("p", { class: "reason" }, "Reason: ", page.element("bdi", {}, rule.reason)) : null,
      page.element("div", { class: "parts" }, columnsOf(view, rule, options)),
      estimates(view, rule),
      tableOne(view, rule, options),
    );
  };
})(causalrules);
