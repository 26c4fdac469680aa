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

  function parts(view, number, shorten) {
    const [column, value] = view.items[number];
    return [
      page.element("span", { class: "column" }, shorten(column) + "="),
      page.element("wbr"),
      page.element("span", { class: "value" }, shorten(value)),
    ];
  }

  /** The plain text of an item, for searching and sorting. */
  page.itemText = (view, number) => view.items[number].join("=");

  page.patternText = (view, rule) => rule.pattern.map((number) => page.itemText(view, number)).join(" & ");

  /** One item, clipped. */
  page.itemName = (view, number) => page.element("bdi", { class: "name" }, parts(view, number, clip));

  /** All items of a rule, clipped. */
  page.patternName = (view, rule) =>
    page.element(
      "span",
      { class: "pattern" },
      rule.pattern.map((number, place) => [place ? " & " : "", page.itemName(view, number)]),
    );

  /** One item that can be seen whole, and picked where somebody listens. */
  page.itemChip = function (view, number, options) {
    const [column, value] = view.items[number];
    const name = page.itemName(view, number);
    const pick = options.onPickItem
      ? page.element(
          "button",
          { type: "button", class: "pick", onclick: () => options.onPickItem([{ column, value }]) },
          name,
        )
      : name;
    if (!isLong(column) && !isLong(value)) return page.element("span", { class: "chip" }, pick);
    const more = page.element(
      "button",
      { type: "button", class: "whole", "aria-expanded": "false", onclick: toggle },
      "whole name",
    );
    function toggle() {
      const isOpen = more.getAttribute("aria-expanded") === "true";
      more.setAttribute("aria-expanded", String(!isOpen));
      name.replaceChildren(...parts(view, number, isOpen ? clip : (text) => text));
    }
    return page.element("span", { class: "chip" }, pick, more);
  };
})(causalrules);
