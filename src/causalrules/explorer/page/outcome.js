/* Second step: the outcome whose causes are sought. */
(function (page) {
  "use strict";

  const { element, explorer } = page;

  /** The choice of column and value; `onChange()` is told when there is another outcome, or none. */
  explorer.outcomeStep = function (onChange) {
    let columns = [];
    const column = element("select", { onchange: () => { offer(); onChange(); } });
    const value = element("select", { onchange: onChange });
    const typed = element("input", { type: "text", list: "values", autocomplete: "off", onchange: onChange, hidden: true, "aria-label": "Value of the outcome" });
    const listed = element("datalist", { id: "values" });
    const builder = explorer.thresholdOf(onChange, () => { showValue(); });
    const told = element("p", { class: "quiet", role: "status" });
    const valueField = explorer.field("outcome", "Value", value);
    valueField.append(typed, listed);
    const node = element("fieldset", { class: "step", hidden: true }, element("legend", {}, "Outcome"),
      element("div", { class: "two" }, explorer.field("outcome column", "Column", column), valueField), builder.node, told);

    function choose() {
      return columns.find((one) => one.name === column.value);
    }

    function showValue() {
      valueField.hidden = builder.isOn();
    }

    function offer() {
      const chosen = choose();
      builder.show(chosen);
      showValue();
      const values = chosen ? chosen.values : [];
      const isLong = Boolean(chosen) && chosen.n_values > values.length;
      typed.hidden = !isLong;
      value.hidden = isLong;
      typed.value = "";
      const none = element("option", { value: "" }, "Choose a value");
      const options = values.map((one) => element("option", { value: one.value, title: one.value }, `${explorer.short(one.value)} (${explorer.count(one.records)})`));
      value.replaceChildren(none, ...options);
      listed.replaceChildren(...(isLong ? values.map((one) => element("option", { value: one.value })) : []));
    }

    function show(table) {
      columns = table ? table.columns.filter((one) => one.values.length > 1) : [];
      node.hidden = !table;
      const none = element("option", { value: "" }, "Choose a column");
      column.replaceChildren(none, ...columns.map((one) => element("option", { value: one.name, title: one.name }, explorer.short(one.name))));
      told.textContent = "";
      offer();
    }

    function chosen() {
      if (builder.isOn()) return builder.pattern() ? { pattern: builder.pattern() } : null;
      const text = typed.hidden ? value.value : typed.value.trim();
      return column.value && text ? { column: column.value, value: text } : null;
    }

    /** What the outcome says of the settings. */
    const settings = () => (builder.isMean() ? { outcome_as: "mean" } : {});

    function tell(items) {
      if (items.mean) {
        told.textContent = `${items.mean}.`;
        return;
      }
      const all = items.with + items.without;
      told.textContent = `${explorer.count(items.with)} of ${explorer.plural(all, "record")} have it (${((100 * items.with) / all).toFixed(1)} %).`;
    }

    function set(outcome) {
      if (outcome.pattern) {
        const one = columns.find((other) => builder.fits(other, outcome.pattern));
        column.value = one ? one.name : "";
        offer();
        if (one) builder.set(one, outcome.pattern);
        showValue();
        return;
      }
      column.value = outcome.column;
      offer();
      (typed.hidden ? value : typed).value = outcome.value;
    }

    return { node, show, chosen, settings, set, tell, untell: () => { told.textContent = ""; } };
  };
})(causalrules);
