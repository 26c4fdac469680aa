/* What all plots share: rows of a name, a strip of shapes and a text; axes; marks.

   Positions in a strip are percentages, so a plot fits any width without being drawn again. Every row
   tells in words what its strip shows, so strips themselves are hidden from those who listen. */
(function (page) {
  "use strict";

  const at = (share) => (100 * share).toFixed(2) + "%";
  const clamp = (share) => Math.min(1, Math.max(0, share));

  /** An axis of ratios around 1: `÷ low … × high`, equal factors equally far apart. */
  page.ratioAxis = function (low, high) {
    const left = Math.ceil(Math.log2(low)),
      right = Math.ceil(Math.log2(high));
    const step = Math.max(1, Math.ceil((left + right) / 10));
    const ticks = [];
    for (let power = -Math.floor(left / step) * step; power <= right; power += step) {
      const factor = 2 ** Math.abs(power);
      ticks.push({
        value: 2 ** power,
        label: power === 0 ? "1" : (power > 0 ? "×" : "÷") + page.count(factor),
      });
    }
    return { place: (value) => (Math.log2(value) + left) / (left + right || 1), ticks, origin: 1 };
  };

  /** An axis of differences around 0, from `low` to `high`, both in one unit. */
  page.differenceAxis = function (low, high) {
    const span = high - low || 1;
    const power = 10 ** Math.floor(Math.log10(span / 4));
    const step = [1, 2, 5, 10].map((one) => one * power).find((one) => span / one <= 6);
    const ticks = [];
    for (let count = Math.ceil(low / step); count * step <= high; count += 1)
      ticks.push({ value: count * step, label: count ? page.difference(count * step) : "0" });
    return { place: (value) => (value - low) / span, ticks, origin: 0 };
  };

  /** An axis of differences that holds 0 and all of these values that are known. */
  page.differencesAxis = function (values) {
    const known = [0, ...values.filter((one) => one !== null)];
    const [low, high] = [Math.min(...known), Math.max(...known)];
    const margin = 0.05 * (high - low || 1);
    return page.differenceAxis(low - margin, high + margin);
  };

  /** An axis from 0 to `high`. */
  page.lengthAxis = function (high, format) {
    const steps = [0.1, 0.2, 0.25, 0.5, 1, 2, 5, 10];
    const step = steps.find((one) => high / one <= 4) || high / 4;  // strips on a card are short
    const ticks = [];
    for (let value = 0; value <= high + 1e-9; value += step) ticks.push({ value, label: format(value) });
    return { place: (value) => value / high, ticks, origin: 0 };
  };

  /** The row of tick labels. */
  page.axisRow = (axis) =>
    page.element(
      "div",
      { class: "row axis", "aria-hidden": "true" },
      page.element("div", { class: "label" }),
      page.element(
        "div",
        { class: "strip" },
        axis.ticks.map(({ value, label }) => {
          const tick = page.element("span", { class: "tick" }, label);
          tick.style.insetInlineStart = at(axis.place(value));
          return tick;
        }),
      ),
      page.element("div", { class: "text" }),
    );

  /** Vertical lines at the ticks; the origin's is stronger. */
  function gridLines(axis) {
    return axis.ticks.map(({ value }) =>
      page.shape("line", {
        class: value === axis.origin ? "grid origin" : "grid",
        x1: at(axis.place(value)),
        x2: at(axis.place(value)),
        y1: 0,
        y2: "100%",
      }),
    );
  }

  /** The drawing of one row. */
  page.strip = (axis, ...shapes) =>
    page.element(
      "div",
      { class: "strip" },
      page.shape("svg", { "aria-hidden": "true", focusable: "false" }, axis ? gridLines(axis) : [], shapes),
    );

  /** A row of a plot: name, drawing, words. */
  page.plotRow = (tag, label, strip, text) =>
    page.element(
      tag,
      { class: "row" },
      page.element("div", { class: "label" }, label),
      strip,
      page.element("div", { class: "text" }, text),
    );

  const SHAPES = {
    square: (size) => page.shape("rect", { x: -size, y: -size, width: 2 * size, height: 2 * size }),
    circle: (size) => page.shape("circle", { r: size }),
    diamond: (size) => page.shape("path", { d: `M0 ${-size}L${size} 0L0 ${size}L${-size} 0Z` }),
    right: (size) => page.shape("path", { d: `M${-2 * size} ${-size}L0 0L${-2 * size} ${size}Z` }),
    left: (size) => page.shape("path", { d: `M${2 * size} ${-size}L0 0L${2 * size} ${size}Z` }),
  };

  /** A mark at a place; beyond the axis it is an arrow at its end. */
  page.mark = function (axis, value, shape, className, size = 4.5, lift = 0) {
    const place = value === null ? 2 : axis.place(value);
    const drawn = place > 1 ? "right" : place < 0 ? "left" : shape;
    const mark = SHAPES[drawn](size);
    mark.setAttribute("class", className.startsWith("cut") ? className : "mark " + className);
    return page.shape(
      "svg",
      { x: at(clamp(place)), y: "50%", overflow: "visible" },
      page.shape("g", { transform: `translate(0 ${lift})` }, mark),
    );
  };

  /** A line between two places; where the axis ends before it does, it ends in an arrow. */
  page.span = function (axis, from, to, className, lift = 0) {
    const places = [from, to].map((value) => (value === null ? 2 : axis.place(value)));
    const [x1, x2] = places.map((place) => at(clamp(place)));
    const line = page.shape("line", {
      class: "span " + className,
      x1,
      x2,
      y1: "50%",
      y2: "50%",
      transform: `translate(0 ${lift})`,
    });
    const cut = [
      [Math.min(...places) < 0, "left", 0],
      [Math.max(...places) > 1, "right", 1],
    ].filter(([isCut]) => isCut);
    return [
      line,
      cut.map(([, shape, end]) => page.mark({ place: () => end }, 1, shape, "cut " + className, 3.5, lift)),
    ];
  };

  /** A bar from the start of the strip to a share of its width. */
  page.bar = (share, className, from = 0) =>
    page.shape("rect", {
      class: "bar " + className,
      x: at(clamp(from)),
      y: "18%",
      height: "64%",
      width: at(clamp(share)),
      rx: 2,
    });

  /** A plot with its title and what its shapes mean. */
  page.plot = (className, caption, ...children) =>
    page.element(
      "figure",
      { class: "plot " + className },
      children,
      caption ? page.element("figcaption", {}, caption) : null,
    );

  /** A shape and its meaning. */
  page.key = function (shape, className, meaning) {
    const axis = { place: () => 0.5 };
    return page.element(
      "span",
      { class: "key" },
      page.shape(
        "svg",
        { "aria-hidden": "true", width: 14, height: 14 },
        page.mark(axis, 1, shape, className),
      ),
      meaning,
    );
  };
})(causalrules);
