/* Fourth step: thresholds and ways of judging, as the server describes them. */
(function (page) {
  "use strict";

  const { element, explorer } = page;

  const shown = (value) => (Array.isArray(value) ? value.join(", ") : value === null ? "" : String(value));

  function inputFor(control, onChange) {
    if (control.kind === "flag") return element("input", { type: "checkbox", checked: control.default, onchange: onChange });
    if (control.kind === "choice") {
      return element("select", { onchange: onChange },
        control.choices.map((choice) => element("option", { value: choice, selected: choice === control.default }, choice)));
    }
    const isNumber = control.kind === "whole" || control.kind === "number";
    return element("input", { type: "text", inputmode: isNumber ? "decimal" : null, autocomplete: "off", spellcheck: "false",
      value: shown(control.default), placeholder: control.optional ? control.unset : null, onchange: onChange });
  }

  /** A number where one was typed; else the text, about which the server will say something. */
  function numberOr(text) {
    return text !== "" && Number.isFinite(Number(text)) ? Number(text) : text;
  }

  function valueOf(control, input) {
    if (control.kind === "flag") return input.checked;
    const text = input.value.trim();
    if (text === "" && control.optional) return null;
    if (control.kind === "choice" || control.kind === "text") return text;
    if (control.kind === "texts") return text.split(",").map((part) => part.trim()).filter(Boolean);
    return numberOr(text);
  }

  /** The form; `onChange(name)` hears which setting was changed. */
  explorer.settingsStep = function (groups, onChange) {
    const controls = groups.flatMap((group) => group.controls);
    const inputs = new Map(controls.map((one) => [one.name, inputFor(one, () => { mark(); onChange(one.name); })]));
    const fields = (group) => group.controls.map((one) => explorer.field(one.name, one.label, inputs.get(one.name), one.help));
    const [first, ...others] = groups;
    const note = element("summary", {}, "More settings");
    const reset = element("button", { type: "button", class: "plain unneeded", onclick: toDefaults }, "Back to defaults");
    const node = element("fieldset", { class: "step", hidden: true }, element("legend", {}, first.title),
      element("div", { class: "fields" }, fields(first)),
      element("details", { class: "more-settings" }, note,
        others.map((group) => element("div", { class: "group", role: "group", "aria-label": group.title },
          element("h3", {}, group.title), element("div", { class: "fields" }, fields(group))))),
      reset);

    function values() {
      const changed = controls.map((one) => [one.name, valueOf(one, inputs.get(one.name)), one.default]);
      return Object.fromEntries(changed.filter(([, value, usual]) => JSON.stringify(value) !== JSON.stringify(usual)));
    }

    function mark() {
      const changed = Object.keys(values());
      for (const [name, input] of inputs) input.closest(".field").classList.toggle("changed", changed.includes(name));
      const hidden = changed.filter((name) => !first.controls.some((one) => one.name === name)).length;
      note.textContent = hidden ? `More settings (${hidden} changed)` : "More settings";
      reset.classList.toggle("unneeded", !changed.length);
    }

    /** These values, and defaults for the others. */
    function set(given) {
      for (const one of controls) {
        const input = inputs.get(one.name);
        const value = one.name in given ? given[one.name] : one.default;
        if (one.kind === "flag") input.checked = value;
        else input.value = shown(value);
      }
      mark();
    }

    function toDefaults() {
      set({});
      onChange(null);
    }

    const labels = new Map(controls.map((one) => [one.name, one.label]));
    return { node, values, set, labelOf: (name) => labels.get(name) || name, show(table) {
      node.hidden = !table;
      set({});  // what fitted one table need not fit another
    } };
  };
})(causalrules);
