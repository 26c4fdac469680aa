/* Which rules the table shows: words, direction, verdict, length, column, least effect. */
(function (page) {
  "use strict";

  const ANY = "";

  function choice(name, label, options, chosen, onChange) {
    const select = page.element(
      "select",
      { name, onchange: onChange },
      options.map(([value, text]) => page.element("option", { value, selected: value === chosen }, text)),
    );
    return page.element("label", {}, page.element("span", {}, label), select);
  }

  function field(name, label, attributes, onChange) {
    return page.element(
      "label",
      {},
      page.element("span", {}, label),
      page.element("input", { name, autocomplete: "off", oninput: onChange, ...attributes }),
    );
  }

  function present(view, values) {
    return [...new Set(values)].map((value) => [String(value), String(value)]);
  }

  /** A form and the test that a rule passes; `onChange` is called whenever the answer may differ. */
  page.filters = function (view, rules, onChange) {
    const columns = present(
      view,
      rules.flatMap((rule) => rule.pattern.map((item) => view.items[item][0])),
    ).sort((a, b) => a[0].localeCompare(b[0]));
    const lengths = present(
      view,
      rules.map((rule) => rule.pattern.length),
    ).sort((a, b) => a[0] - b[0]);
    const verdicts = ["rejected", "untestable"].filter((verdict) => rules.some((rule) => rule.verdict === verdict));
    const form = page.element(
      "form",
      {
        class: "filters",
        role: "search",
        "aria-label": "rules",
        onsubmit: (event) => event.preventDefault(),
        onreset: () => setTimeout(onChange),
      },
      field("words", "Search", { type: "search", placeholder: "column or value" }, onChange),
      choice(
        "verdict",
        "Verdict",
        [[ANY, "any verdict"], ...verdicts.map((one) => [one, one])],
        ANY,
        onChange,
      ),
      choice(
        "direction",
        "Direction",
        [
          [ANY, "either way"],
          ["raises", "raises the " + view.measure.moves],
          ["lowers", "lowers the " + view.measure.moves],
        ],
        ANY,
        onChange,
      ),
      choice("size", "Items", [[ANY, "any number"], ...lengths], ANY, onChange),
      choice(
        "column",
        "Column",
        [[ANY, "any column"], ...columns.map(([value]) => [value, value.slice(0, 60)])],
        ANY,
        onChange,
      ),
      field(
        "least",
        "Effect at least",
        { type: "number", min: "1", step: "0.1", placeholder: "1" },
        onChange,
      ),
      page.element("button", { type: "reset" }, "Reset"),
    );

    const texts = new Map(rules.map((rule) => [rule.id, page.patternText(view, rule).toLowerCase()]));
    const value = (name) => form.elements[name].value;
    function accepts(rule) {
      const words = value("words").toLowerCase().split(/\s+/).filter(Boolean);
      const least = Number(value("least")) || 0;
      return (
        words.every((word) => texts.get(rule.id).includes(word)) &&
        [ANY, rule.verdict].includes(value("verdict")) &&
        [ANY, rule.direction].includes(value("direction")) &&
        [ANY, String(rule.pattern.length)].includes(value("size")) &&
        (value("column") === ANY || rule.pattern.some((item) => view.items[item][0] === value("column"))) &&
        (rule.adjusted[0] === null || rule.adjusted[0] >= least)
      );
    }
    /** Let every rule pass. */
    function clear() {
      for (const name of ["words", "verdict", "direction", "size", "column", "least"])
        form.elements[name].value = "";
      onChange();
    }
    return { form, accepts, clear };
  };
})(causalrules);
