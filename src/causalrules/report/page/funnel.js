/* The funnel: how many patterns were looked at, and how many were left after each question. */
(function (page) {
  "use strict";

  const STAGES = [
    ["candidates", "hypotheses"],
    ["frequent", "frequent enough"],
    ["associations", "associated with the outcome"],
    ["causal", "causal among records that are alike"],
  ];
  const LENGTHS = ["", "Single items", "Two items together", "Three items together"];

  function level(entry, most) {
    const width = (count) => (count > 0 ? Math.log10(count + 1) / Math.log10(most + 1) : 0);
    const rows = STAGES.map(([name, label]) =>
      page.plotRow(
        "li",
        label,
        page.strip(null, page.bar(width(entry[name]), "stage " + name)),
        page.count(entry[name]),
      ),
    );
    const other = `Of the associations ${page.count(entry.rejected)} were rejected, ${page.count(entry.untestable)} could not be tested.`;
    return page.element(
      "div",
      { class: "level" },
      page.element("h3", {}, LENGTHS[entry.length] || `${entry.length} items together`),
      page.element("ol", { class: "rows" }, rows),
      page.element("p", { class: "quiet" }, other),
    );
  }

  page.funnel = function (view) {
    if (!view.funnel.length) return null;
    const most = Math.max(1, ...view.funnel.map((entry) => entry.candidates));
    return page.section(
      2,
      "From patterns to causes",
      "funnel",
      page.plot(
        "levels",
        "Lengths of bars grow with the number of digits (a logarithmic scale). Both directions are counted together.",
        view.funnel.map((entry) => level(entry, most)),
      ),
    );
  };
})(causalrules);
