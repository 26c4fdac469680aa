/* Who took part in a study, step by step: the participant flow that STROBE asks for. */
(function (page) {
  "use strict";

  const records = (n) => `${page.count(n)} record${n === 1 ? "" : "s"}`;
  const pairs = (n) => (n < 100 && n % 1 ? n.toFixed(1) : page.count(Math.round(n)));

  /** A box of lines; nothing where there is nothing to say, such as that nobody was left out. */
  function box(className, ...lines) {
    const said = lines.filter(Boolean);
    if (!said.length) return page.element("div", { class: "flow-nothing" });
    return page.element("div", { class: "flow-box " + className }, said.map((line) => page.element("div", {}, line)));
  }

  const step = (lines, lost) =>
    page.element("li", { class: "flow-step" }, box("lost", lost), box("kept", ...lines));

  const leftOut = (n, why) => (n ? `${page.count(n)} left out: ${why}` : null);

  function arm(name, about, size, missing, both, unmatched, matched) {
    const lost = missing === null ? leftOut(both, "a confounder missing, in both arms together") : leftOut(missing, "a confounder missing");
    return page.element(
      "div",
      { class: "flow-arm" },
      box("kept", page.element("strong", {}, `${page.count(size)} ${name}`), about),
      box("lost", lost, unmatched ? `${page.count(unmatched)} without partners` : null),
      box("kept", matched === null ? "matched" : `${page.count(matched)} matched`),
    );
  }

  /** The flow of one rule as boxes below one another. */
  page.flowChart = function (view, rule) {
    const [read, known, aside, unknown, exposed, unexposed, missing, missingExposed, missingUnexposed, alone, aloneUnexposed, matched, matchedUnexposed, nPairs, discordant] = rule.flow;
    const tested = known - aside;
    return page.element(
      "div",
      { class: "flow" },
      page.element(
        "ol",
        {},
        step([`${records(read)} read`]),
        step([`${records(known)} with a known outcome`], leftOut(read - known, "outcome not known")),
        aside ? step([`${records(tested)} held out for testing`], leftOut(aside, "hypotheses came from these")) : null,
        step([`${records(exposed + unexposed)} with a known exposure`], leftOut(unknown, "exposure not known")),
        page.element(
          "li",
          { class: "flow-arms" },
          arm("exposed", page.patternName(view, rule), exposed, missingExposed, missing, alone, matched),
          arm("unexposed", "without it", unexposed, missingUnexposed, missing, aloneUnexposed, matchedUnexposed),
        ),
        page.element(
          "li",
          { class: "flow-step" },
          box("kept", `${pairs(nPairs)} matched pairs, averaged over all pairings`, discordant === null ? null : `${pairs(discordant)} of them differ in the outcome`),
        ),
      ),
    );
  };
})(causalrules);
