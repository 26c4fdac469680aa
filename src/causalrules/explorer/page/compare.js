/* Two results side by side. */
(function (page) {
  "use strict";

  const { element, explorer } = page;
  const NAMES = { search: "Search", study: "Study" };
  const NONE = "–";

  const nameOf = (run) => `${NAMES[run.kind]} ${run.id}`;

  function side(found) {
    if (!found) return [element("td", { class: "quiet", colspan: "2" }, "not tested")];
    if (found.verdict === "untestable") return [element("td", { class: "quiet", colspan: "2" }, "untestable")];
    return [element("td", { class: "number" }, found.odds_ratio, element("span", { class: "quiet" }, ` (${found.interval})`)),
      element("td", { class: "verdict of-" + found.verdict }, found.verdict + (found.grade ? ", " + found.grade : ""))];
  }

  function row(rule, onPick) {
    const sign = rule.direction === "raises" ? "▲ raises" : "▼ lowers";
    return element("tr", {},
      element("th", { scope: "row" }, element("button", { type: "button", class: "pick", onclick: () => onPick(rule.pattern) }, explorer.patternName(rule.pattern))),
      element("td", { class: "of-" + rule.direction }, sign), side(rule.first), side(rule.second),
      element("td", {}, rule.change || NONE));
  }

  function group(entry, first, second, onPick) {
    if (!entry.rules.length) return null;
    const table = element("div", { class: "scrolled", role: "region", tabindex: "0", "aria-label": entry.title },
      element("table", {}, element("thead", {}, element("tr", {},
        element("th", { scope: "col" }, "Rule"), element("th", { scope: "col" }, "Direction"),
        element("th", { scope: "colgroup", colspan: "2" }, nameOf(first)), element("th", { scope: "colgroup", colspan: "2" }, nameOf(second)),
        element("th", { scope: "col" }, "Change"))),
      element("tbody", {}, entry.rules.map((rule) => row(rule, onPick)))));
    const title = `${entry.title} (${explorer.count(entry.rules.length)})`;
    if (entry.name !== "neither") return page.section(2, title, "compared", table);
    return element("section", { class: "compared" }, element("details", {}, element("summary", {}, title), table));
  }

  function settings(entries, labelOf) {
    if (!entries.length) return element("p", { class: "quiet" }, "All settings are the same.");
    return element("dl", { class: "differences" }, entries.map((one) => [
      element("dt", {}, labelOf(one.name)), element("dd", {}, element("bdi", {}, one.first), " → ", element("bdi", {}, one.second))]));
  }

  /** Draw the comparison of two runs into `places`. */
  explorer.showComparison = async function (places, first, second, options) {
    const found = await explorer.get(`/api/compare/${first.id}/${second.id}`);
    const count = (name) => found.groups.find((entry) => entry.name === name).rules.length;
    places.head.replaceChildren();
    places.answer.replaceChildren(
      element("h1", {}, `${nameOf(first)} beside ${nameOf(second)}`),
      element("p", { class: "lead" }, `${explorer.plural(count("both"), "rule is", "rules are")} causal in both, ${explorer.count(count("first"))} only in ${nameOf(first)}, ${explorer.count(count("second"))} only in ${nameOf(second)}.`),
      ...(found.same_table && found.same_outcome ? [] : [element("p", { class: "complaint" }, "They are about different tables or outcomes; rules are compared by the names of their columns and values.")]),
      ...(found.words.length ? [page.section(2, "What changed", "changes", element("ul", {}, found.words.map((text) => element("li", {}, element("bdi", {}, text)))))] : []),
      page.section(2, "What was asked differently", "asked", settings(found.settings, options.labelOf)),
      ...found.groups.map((entry) => group(entry, first, second, options.onPickItem)).filter(Boolean),
      element("p", { class: "quiet" }, "Adjusted odds ratios, or differences of means, with their intervals, about the outcome itself: below 1, or 0, where a rule lowers it. The last column divides the second by the first, or takes the difference of means; its interval takes the records of the two for different ones. † Adjusted for different columns, which alone may change an odds ratio."));
    places.answer.focus({ preventScroll: true });
    places.answer.scrollIntoView({ block: "start" });
  };
})(causalrules);
