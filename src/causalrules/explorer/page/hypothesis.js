/* A hypothesis of one's own: values picked in an answer or from a list, and their cohort study. */
(function (page) {
  "use strict";

  const { element, explorer } = page;
  const COLUMNS_SHOWN = 100;
  const VALUES_SHOWN = 40;

  const isSame = (one, other) => one.column === other.column && one.value === other.value;

  function chooserOf(dialog, picks, onPick) {
    let known = null;
    const words = element("input", { type: "search", id: "chooser-words", placeholder: "column or value", autocomplete: "off", oninput: draw });
    const list = element("div", { class: "chooser-list" });
    const more = element("p", { class: "quiet", role: "status" });
    const about = element("p", { class: "quiet" });
    dialog.replaceChildren(
      element("div", { class: "chooser-head" },
        element("h2", { id: "chooser-title" }, "Choose values"),
        about,
        element("label", { for: "chooser-words" }, "Find"), words),
      list, more,
      element("div", { class: "chooser-end" }, explorer.button("Done", "first", () => dialog.close())));

    function chip(column, item) {
      const picked = { column, value: item.value };
      const share = item.records ? Math.round((100 * item.with) / item.records) : 0;
      return element("button", { type: "button", class: "chip pickable", title: item.value, "aria-pressed": String(picks().some((one) => isSame(one, picked))), onclick() {
        onPick(picked);
        draw();
      } }, element("bdi", { class: "value" }, explorer.short(item.value)),
      element("span", { class: "quiet" }, ` ${explorer.plural(item.records, "record")}, ${share} %`));
    }

    function draw() {
      if (!known) return;
      const focused = list.contains(document.activeElement) ? [...list.querySelectorAll("button")].indexOf(document.activeElement) : -1;
      const sought = words.value.toLowerCase();
      const rows = known.columns.map((column) => {
        const named = column.name.toLowerCase().includes(sought);
        return { name: column.name, items: column.items.filter((item) => named || item.value.toLowerCase().includes(sought)) };
      }).filter((row) => row.items.length);
      list.replaceChildren(...rows.slice(0, COLUMNS_SHOWN).map((row) => element("div", { class: "chooser-row", role: "group", "aria-label": explorer.short(row.name) },
        element("h3", {}, element("bdi", { title: row.name }, explorer.short(row.name))),
        element("div", { class: "chips" }, row.items.slice(0, VALUES_SHOWN).map((item) => chip(row.name, item)),
          row.items.length > VALUES_SHOWN ? element("span", { class: "quiet" }, `… ${row.items.length - VALUES_SHOWN} more; find them above`) : null))));
      more.textContent = rows.length ? (rows.length > COLUMNS_SHOWN ? `… ${rows.length - COLUMNS_SHOWN} more columns` : "") : "No column or value is called so.";
      if (focused >= 0) list.querySelectorAll("button")[focused]?.focus();
    }

    return { show(items) {
      known = items;
      about.replaceChildren("Beside each value: its records, and how many of them have ", explorer.itemName(items.outcome),
        ". Values of several columns make a combined exposure.");
      draw();
    }, open() { words.value = ""; draw(); dialog.showModal(); words.focus(); } };
  }

  /** The tray at the foot of the page; `onTest(items)` starts a study. */
  explorer.tray = function (node, dialog, onTest) {
    let picks = [];
    let outcome = null;
    const chooser = chooserOf(dialog, () => picks, toggle);
    const line = element("p", { class: "tray-line", "aria-live": "polite" });
    const test = explorer.button("Test it", "first", () => onTest(picks));
    const clear = explorer.button("Clear", "plain", () => { picks = []; draw(); });
    const choose = explorer.button("Choose values…", "plain", () => chooser.open());
    node.replaceChildren(element("div", { class: "tray-inner" }, line, element("div", { class: "tray-buttons" }, choose, clear, test)));

    function toggle(item) {
      const had = picks.some((one) => isSame(one, item));
      picks = picks.filter((one) => one.column !== item.column);
      if (!had) picks.push(item);
      draw();
    }

    function chip(item) {
      return element("span", { class: "chip" }, explorer.itemName(item),
        element("button", { type: "button", class: "drop", "aria-label": `Take ${explorer.short(item.column)}=${explorer.short(item.value)} out`, onclick: () => toggle(item) }, "×"));
    }

    function draw() {
      const target = outcome ? explorer.itemName(outcome) : "";
      if (picks.length) line.replaceChildren("Does ", ...picks.flatMap((item, place) => [place ? " & " : "", chip(item)]), " cause ", target, "?");
      else line.replaceChildren(element("span", { class: "quiet" }, "Test a hypothesis of your own", element("span", { class: "how" }, ": pick values in an answer, or choose them"), "."));
      test.hidden = !picks.length;
      clear.hidden = !picks.length;
    }

    /** Pick items that were clicked in an answer: together they are one pattern, one alone joins what is there. */
    function pick(items) {
      explorer.forgive();
      if (items.length > 1) picks = [...items];
      else items.forEach((item) => { if (!picks.some((one) => isSame(one, item))) toggle(item); });
      draw();
    }

    return {
      pick,
      show(items) {
        const other = !outcome || outcome.column !== items.outcome.column;
        outcome = items.outcome;
        if (other) picks = picks.filter((one) => one.column !== outcome.column);
        node.hidden = false;
        document.body.classList.add("has-tray");
        chooser.show(items);
        draw();
      },
      hide() {
        node.hidden = true;
        picks = [];
        outcome = null;
        document.body.classList.remove("has-tray");
      },
    };
  };
})(causalrules);
