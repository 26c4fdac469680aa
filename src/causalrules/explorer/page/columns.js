/* Third step: which columns take part, and as what. */
(function (page) {
  "use strict";

  const { element, explorer } = page;
  const MOST = 200;
  const ROLES = [["", "use"], ["drop", "leave out"], ["categorical", "as categories"], ["numeric", "as numbers"]];
  const KINDS = { numbers: "numbers", dates: "dates", categories: "categories", other: "cannot be used" };

  /** The columns with their roles; `onChange()` is told when a role changes. */
  explorer.columnStep = function (onChange) {
    let columns = [];
    let reasons = new Map();
    let outcome = "";
    const roles = new Map();
    const words = element("input", { type: "search", placeholder: "find a column", "aria-label": "Find a column", autocomplete: "off", oninput: draw });
    const list = element("ul", { class: "columns" });
    const summary = element("summary", {}, "Columns");
    const more = element("p", { class: "quiet" });
    const box = element("details", { "data-about": "columns" }, summary, words, list, more);
    const node = element("fieldset", { class: "step", hidden: true }, element("legend", {}, "Columns"), box);

    function choice(column) {
      const kinds = column.kind === "numbers" || column.kind === "dates" ? ROLES : ROLES.filter(([role]) => role !== "numeric");
      return element("select", { "aria-label": `Role of ${explorer.short(column.name)}`, onchange(event) {
        roles.set(column.name, event.target.value);
        onChange();
      } }, kinds.map(([role, label]) => element("option", { value: role, selected: role === (roles.get(column.name) || "") }, label)));
    }

    function about(column) {
      const missing = column.n_missing ? `, ${explorer.count(column.n_missing)} missing` : "";
      return `${KINDS[column.kind]}, ${explorer.plural(column.n_values, "value")}${missing}`;
    }

    function row(column) {
      const reason = reasons.get(column.name);
      return element("li", {},
        element("div", {}, element("bdi", { class: "name value", title: column.name }, explorer.short(column.name)),
          element("span", { class: "quiet" }, about(column)),
          reason ? element("span", { class: "reason" }, "Takes no part: " + reason) : null),
        column.kind === "other" ? null : choice(column));
    }

    function draw() {
      const sought = words.value.toLowerCase();
      const fitting = columns.filter((one) => one.name !== outcome && one.name.toLowerCase().includes(sought));
      list.replaceChildren(...fitting.slice(0, MOST).map(row));
      more.textContent = fitting.length > MOST ? `… and ${fitting.length - MOST} more; find them by name.` : "";
      const out = columns.filter((one) => one.name !== outcome && (reasons.has(one.name) || roles.get(one.name) === "drop")).length;
      const all = columns.filter((one) => one.name !== outcome).length;
      summary.textContent = out ? `${all - out} of ${all} take part` : `All ${all} take part`;
    }

    function show(table) {
      columns = table ? table.columns : [];
      roles.clear();
      reasons = new Map();
      outcome = "";
      words.value = "";
      words.hidden = columns.length < 12;
      node.hidden = !table;
      box.open = false;
      draw();
    }

    function tell(items) {
      outcome = items.outcome.column;
      reasons = new Map(items.left_out.map((one) => [one.column, one.reason]));
      draw();
    }

    function settings() {
      const lists = { drop: [], categorical: [], numeric: [] };
      roles.forEach((role, name) => { if (role) lists[role].push(name); });
      return Object.fromEntries(Object.entries(lists).filter(([, names]) => names.length));
    }

    return { node, show, tell, settings };
  };
})(causalrules);
