/* Names of items: isolated, so that their direction stays their own, and clipped where they are very long. */
(function (page) {
  "use strict";

  const LONGEST = 60;

  const isLong = (text) => text.length > LONGEST;
  const clip = (text) =>
    isLong(text)
      ? Array.from(text)
          .slice(0, LONGEST - 1)
          .join("") + "…"
      : text;

  /** A cut of numbers or dates has its own sign: age>60, not age=>60. */
  const CUT = /^(<=|>)(-?\d+(\.\d+)?(e[+-]?\d+)?|\d{4}-\d\d-\d\d([T ][\d:.]+)?)$/;
  const sign = (value) => (CUT.test(value) ? "" : "=");

  function parts(view, number, shorten) {
    const [column, value] = view.items[number];
    return [
      page.element("bdi", { class: "column" }, shorten(column)),
      page.element("span", { class: "column" }, sign(value)),
      page.element("wbr"),
      page.element("bdi", { class: "value" }, shorten(value)),
    ];
  }

  /** The plain text of an item, for searching and sorting. */
  page.itemText = (view, number) => view.items[number].join(sign(view.items[number][1]));

  page.patternText = (view, rule) => rule.pattern.map((number) => page.itemText(view, number)).join(" & ");

  /** One item, clipped. */
  page.itemName = (view, number) =>
    page.element("bdi", { class: "name", dir: "ltr" }, parts(view, number, clip));

  /** All items of a rule, clipped. */
  page.patternName = (view, rule) =>
    page.element(
      "span",
      { class: "pattern" },
      rule.pattern.map((number, place) => [place ? " & " : "", page.itemName(view, number)]),
    );

  /** A button that shows a clipped name whole, and clips it again. */
  function wholeButton(show) {
    function toggle() {
      const isWhole = button.getAttribute("aria-expanded") !== "true";
      button.setAttribute("aria-expanded", String(isWhole));
      show(isWhole ? (text) => text : clip);
    }
    const attributes = { type: "button", class: "whole", "aria-expanded": "false", onclick: toggle };
    const button = page.element("button", attributes, "whole name");
    return button;
  }

  /** One item that can be seen whole, and picked where somebody listens. */
  page.itemChip = function (view, number, options) {
    const [column, value] = view.items[number];
    const name = page.itemName(view, number);
    const pick = () => options.onPickItem([{ column, value }]);
    const shown = options.onPickItem
      ? page.element("button", { type: "button", class: "pick", onclick: pick }, name)
      : name;
    const showParts = (shorten) => name.replaceChildren(...parts(view, number, shorten));
    const more = isLong(column) || isLong(value) ? wholeButton(showParts) : null;
    return page.element("span", { class: "chip" }, shown, more);
  };

  /** Any other name from the data, such as a column's. */
  page.anyName = function (text) {
    const name = page.element("bdi", { class: "name" }, clip(text));
    const showText = (shorten) => name.replaceChildren(shorten(text));
    return isLong(text) ? [name, wholeButton(showText)] : name;
  };
})(causalrules);
