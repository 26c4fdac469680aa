/* Controls with a label, a help text, and a place where what is wrong with them is said. */
(function (page) {
  "use strict";

  const { element, explorer } = page;
  const LONGEST = 70;
  const OF_COLUMNS = ["drop", "categorical", "numeric", "only", "exposures", "adjust", "never_adjust", "before", "after", "cut", "knowledge"];
  const ELSEWHERE = { ...Object.fromEntries(OF_COLUMNS.map((name) => [name, "columns"])), upload: "file" };
  let numbers = 0;

  /** A text short enough for a list of choices. */
  explorer.short = (text) => (text.length > LONGEST ? Array.from(text).slice(0, LONGEST - 1).join("") + "…" : text);

  explorer.count = (number) => number.toLocaleString("en");

  explorer.plural = (number, one, many) => `${explorer.count(number)} ${number === 1 ? one : many || one + "s"}`;

  /** Column and value as one name that keeps its own direction. */
  explorer.itemName = ({ column, value, pattern }) => pattern ? element("bdi", { class: "name" }, explorer.short(pattern)) : element("bdi", { class: "name" },
    element("span", { class: "column" }, explorer.short(column) + "="), element("wbr"),
    element("span", { class: "value" }, explorer.short(value)));

  explorer.patternName = (items) => element("span", { class: "pattern" },
    items.map((item, place) => [place ? " & " : "", explorer.itemName(item)]));

  /** A button that does something; what goes wrong is told. */
  explorer.button = (label, className, act, attributes) => element("button",
    { type: "button", class: className, onclick: () => explorer.attempt(act), ...attributes }, label);

  function helpOf(text, name) {
    const body = element("p", { class: "help", id: name + "-help", hidden: true }, text);
    const toggle = element("button", { type: "button", class: "why", "aria-expanded": "false", "aria-controls": body.id, onclick() {
      body.hidden = !body.hidden;
      toggle.setAttribute("aria-expanded", String(!body.hidden));
      if (!body.hidden) body.scrollIntoView({ block: "nearest" });  // not behind the button at the foot
    } }, element("span", { "aria-hidden": "true" }, "?"));
    return { body, toggle };
  }

  /** A control under its label; `about` is the name that errors call it by. */
  explorer.field = function (about, label, control, help) {
    control.id = control.id || `control-${(numbers += 1)}`;
    const parts = help ? helpOf(help, control.id) : null;
    if (parts) parts.toggle.setAttribute("aria-label", "What does “" + label + "” mean?");
    const name = element("label", { for: control.id }, label);
    const isFlag = control.type === "checkbox";
    return element("div", { class: "field" + (isFlag ? " flag" : ""), "data-about": about },
      element("div", { class: "label" }, isFlag ? control : null, name, parts && parts.toggle), isFlag ? null : control, parts && parts.body);
  };

  function placeOf(about) {
    const name = ELSEWHERE[about] || about;
    return name ? document.querySelector(`[data-about="${CSS.escape(name)}"]`) : null;
  }

  /** Take back all that was said. */
  explorer.forgive = function () {
    document.querySelectorAll(".complaint").forEach((node) => node.remove());
    document.querySelectorAll("[aria-invalid]").forEach((node) => {
      node.removeAttribute("aria-invalid");
      node.removeAttribute("aria-describedby");
    });
    document.getElementById("alert").replaceChildren();
  };

  /** Say what is wrong beside the control it is about, or at the top of the page. */
  explorer.complain = function (refusal) {
    const place = placeOf(refusal.about);
    if (!place) {
      document.getElementById("alert").replaceChildren(element("p", {}, refusal.message),
        explorer.button("Close", "plain", explorer.forgive));
      return;
    }
    if ([...place.querySelectorAll(".complaint")].some((said) => said.textContent === refusal.message)) return;
    for (let box = place; box; box = box.parentElement) if (box.tagName === "DETAILS") box.open = true;
    const said = element("p", { class: "complaint", role: "alert", id: "complaint-" + (numbers += 1) }, refusal.message);
    place.append(said);
    const control = place.querySelector("select:not([hidden]), input:not([hidden])") || place.querySelector("button");
    if (control) {
      control.setAttribute("aria-invalid", "true");
      control.setAttribute("aria-describedby", said.id);
      control.addEventListener("input", explorer.forgive, { once: true });  // not later: a click would miss what moves up
      control.focus({ preventScroll: true });
    }
    said.scrollIntoView({ block: "nearest" });
  };

  /** Do something; a refusal is shown, not thrown. */
  explorer.attempt = async function (act) {
    explorer.forgive();
    try {
      return await act();
    } catch (refusal) {
      explorer.complain(refusal);
      return undefined;
    }
  };
})(causalrules);
