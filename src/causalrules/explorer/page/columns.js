/* Third step: which columns take part, and as what; a table of its own, since each has several roles. */
(function (page) {
  "use strict";

  const { element, explorer } = page;
  const MOST = 200;
  const ROLES = [["", "use"], ["drop", "leave out"], ["categorical", "as categories"], ["numeric", "as numbers"]];
  const STUDY = [["", "any part"], ["exposures", "ask about it"], ["adjust", "adjust for it too"], ["never_adjust", "never adjust for it"]];
  const TIME = [["", "any time"], ["before", "before the outcome"], ["after", "after the outcome"]];
  const quoted = (name) => (/[="]|^\s|\s$/.test(name) ? `"${name.replaceAll('"', '""')}"` : name);
  const HEADINGS = ["Column", "Role", "Part", "Time", "Cut points"];
  const KINDS = { numbers: "numbers", dates: "dates", categories: "categories", other: "cannot be used" };

  /** The columns with their roles; `onChange()` is told when a role changes. */
  explorer.columnStep = function (dialog, onChange) {
    let columns = [];
    let reasons = new Map();
    let outcome = "";
    const roles = new Map();
    const study = new Map();
    const time = new Map();
    const cuts = new Map();
    const words = element("input", { type: "search", placeholder: "find a column", "aria-label": "Find a column", autocomplete: "off", oninput: draw });
    const list = element("tbody", {});
    const summary = element("p", { class: "quiet", role: "status" });
    const said = element("ul", { class: "said" });
    const more = element("p", { class: "quiet" });
    const open = explorer.button("Roles of columns…", "plain", () => { draw(); speakOf(head); dialog.showModal(); });
    const box = element("div", {}, summary, said, open);
    const node = element("fieldset", { class: "step", hidden: true }, element("legend", {}, "Columns"), box);
    const head = element("div", { class: "chooser-head" }, element("h2", { id: "roles-title" }, "Roles of columns"),
      element("p", { class: "quiet" }, "Leave a column out, say what part it has, when it was measured, and where a number is cut. What you do not say is found from the data."), words);

    /** What is wrong with a role is told where the reader is: in the table while it is open, else beside its button. */
    function speakOf(place) {
      [box, head].forEach((one) => one.removeAttribute("data-about"));
      place.setAttribute("data-about", "columns");
    }

    speakOf(box);
    dialog.addEventListener("close", () => {
      speakOf(box);
      onChange();
    });
    dialog.replaceChildren(
      head,
      element("div", { class: "chooser-list", tabindex: "0", role: "group", "aria-label": "Roles of columns" },
        element("table", { class: "roles" }, element("thead", {}, element("tr", {}, HEADINGS.map((text) => element("th", { scope: "col" }, text)))), list), more),
      element("div", { class: "chooser-end" }, explorer.button("Done", "first", () => dialog.close())));

    // What is typed is kept at once, since an answer that arrives meanwhile draws the list again; it is told
    // when it is finished.
    let isUnsaid = false;
    let isDrawing = false;

    function say() {
      if (!isUnsaid || isDrawing) return;
      isUnsaid = false;
      onChange();
    }

    function chooser(what, column, kept, choices) {
      return element("select", { "aria-label": `${what} of ${explorer.short(column.name)}`, onchange(event) {
        kept.set(column.name, event.target.value);
        onChange();
      } }, choices.map(([role, label]) => element("option", { value: role, selected: role === (kept.get(column.name) || "") }, label)));
    }

    function choice(column) {
      const isOrdered = column.kind === "numbers" || column.kind === "dates";
      const kinds = isOrdered ? ROLES : ROLES.filter(([role]) => role !== "numeric");
      const cut = element("input", { type: "text", "aria-label": `Cut points of ${explorer.short(column.name)}`, placeholder: "18.5,25,30 or every:10",
        autocomplete: "off", value: cuts.get(column.name) || "", oninput(event) {
          cuts.set(column.name, event.target.value.trim());
          isUnsaid = true;
          const bars = event.target.parentNode.querySelector(".cut-bars");
          if (bars) bars.replaceWith(cutBars(column));
        }, onkeydown(event) { if (event.key === "Enter") say(); }, onblur: say });
      const cells = [chooser("Role", column, roles, kinds), chooser("Part", column, study, STUDY), chooser("Time", column, time, TIME),
        isOrdered ? element("div", {}, cut, cutBars(column)) : null];
      return cells.map((cell) => element("td", {}, cell));
    }

    /** The histogram of a number with its cut points as lines; nothing where it is not cut at given points. */
    function cutBars(column) {
      const { histogram } = column;
      if (!histogram) return null;
      const most = Math.max(...histogram.records);
      const bars = histogram.records.map((count) => {
        const bar = element("span", { title: explorer.plural(count, "record") });
        bar.style.height = `${(100 * count) / most}%`;
        return bar;
      });
      const points = (cuts.get(column.name) || "").split(",").map(Number).filter((one) => Number.isFinite(one) && one > histogram.low && one < histogram.high);
      const lines = cuts.get(column.name) ? points.map((one) => {
        const line = element("i", {});
        line.style.insetInlineStart = `${(100 * (one - histogram.low)) / (histogram.high - histogram.low)}%`;
        return line;
      }) : [];
      return element("div", { class: "bars cut-bars", "aria-hidden": "true" }, bars, lines);
    }

    function about(column) {
      const missing = column.n_missing ? `, ${explorer.count(column.n_missing)} missing` : "";
      return `${KINDS[column.kind]}, ${explorer.plural(column.n_values, "value")}${missing}`;
    }

    function row(column) {
      const reason = reasons.get(column.name);
      return element("tr", {},
        element("th", { scope: "row" }, element("bdi", { class: "name value", title: column.name }, explorer.short(column.name)),
          column.in_source ? element("bdi", { class: "quiet" }, `in the file: ${explorer.short(column.in_source)}`) : null,
          element("span", { class: "quiet" }, about(column)),
          reason ? element("span", { class: "reason" }, "Takes no part. " + reason + ".") : null),
        column.kind === "other" ? element("td", { colspan: "4" }) : choice(column));
    }

    /** What was said, so that it can be seen without opening the table. */
    function tellWhatWasSaid() {
      const lines = [];
      for (const [kept, choices] of [[roles, ROLES], [study, STUDY], [time, TIME]])
        for (const [role, label] of choices) {
          const names = role ? [...kept].filter(([, one]) => one === role).map(([name]) => explorer.short(name)) : [];
          if (names.length) lines.push([label, names.join(", ")]);
        }
      [...cuts].filter(([, how]) => how).forEach(([name, how]) => lines.push(["cut", `${explorer.short(name)} at ${how}`]));
      said.replaceChildren(...lines.map(([label, names]) => element("li", {}, label + ": ", element("bdi", {}, names))));
    }

    function draw() {
      const sought = words.value.toLowerCase();
      const fitting = columns.filter((one) => one.name !== outcome && `${one.name} ${one.in_source}`.toLowerCase().includes(sought));
      const focused = list.contains(document.activeElement) ? document.activeElement.getAttribute("aria-label") : null;
      isDrawing = true;
      list.replaceChildren(...fitting.slice(0, MOST).map(row));
      isDrawing = false;
      const again = focused && [...list.querySelectorAll("[aria-label]")].find((one) => one.getAttribute("aria-label") === focused);
      if (again) again.focus();
      more.textContent = fitting.length > MOST ? `… and ${fitting.length - MOST} more; find them by name.` : "";
      const out = columns.filter((one) => one.name !== outcome && (reasons.has(one.name) || roles.get(one.name) === "drop")).length;
      const all = columns.filter((one) => one.name !== outcome).length;
      summary.textContent = out ? `${all - out} of ${all} take part` : `All ${all} take part`;
      tellWhatWasSaid();
    }

    function show(table) {
      columns = table ? table.columns : [];
      [roles, study, time, cuts].forEach((kept) => kept.clear());
      reasons = new Map();
      outcome = "";
      words.value = "";
      words.hidden = columns.length < 12;
      node.hidden = !table;
      dialog.close();
      draw();
    }

    function tell(items) {
      outcome = items.outcome.column;
      reasons = new Map(items.left_out.map((one) => [one.column, one.reason]));
      draw();
    }

    function settings() {
      const lists = {};
      for (const kept of [roles, study, time]) kept.forEach((role, name) => { if (role) (lists[role] ||= []).push(name); });
      if (lists.adjust) lists.adjust[0] = "+" + lists.adjust[0];  // besides those that are chosen
      lists.cut = [...cuts].filter(([, how]) => how).map(([name, how]) => `${quoted(name)}=${how}`);
      return Object.fromEntries(Object.entries(lists).filter(([, names]) => names.length));
    }

    function set(settings) {
      for (const [kept, choices] of [[roles, ROLES], [study, STUDY], [time, TIME]]) {
        kept.clear();
        for (const [role] of choices) (settings[role] || []).forEach((name) => kept.set(role === "adjust" ? name.replace(/^\+/, "") : name, role));
      }
      cuts.clear();
      (settings.cut || []).forEach((text) => {
        const name = text.slice(0, text.lastIndexOf("="));
        const plain = name.startsWith('"') ? name.slice(1, -1).replaceAll('""', '"') : name;
        if (columns.some((one) => one.name === plain)) cuts.set(plain, text.slice(name.length + 1));
      });
      draw();
    }

    return { node, show, tell, settings, set };
  };
})(causalrules);
