/* An outcome made of a number: its mean, or a threshold to drag below its histogram or to type. */
(function (page) {
  "use strict";

  const { element, explorer } = page;
  const MEAN = "mean";
  const SIGNS = [["", "one value"], [MEAN, "its mean"], [">=", "at least (≥)"], [">", "more than (>)"], ["<=", "at most (≤)"], ["<", "less than (<)"]];
  const NEEDS_QUOTES = /[&|=<>!"]|^\s|\s$/;
  const IS_NUMBER = /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i;

  const written = (name) => (NEEDS_QUOTES.test(name) || IS_NUMBER.test(name) ? `"${name.replaceAll('"', '""')}"` : name);

  /** A number with as few digits as the steps of the slider need. */
  function short(value, step) {
    const digits = Math.max(0, Math.min(12, -Math.floor(Math.log10(step))));
    return String(Number(value.toFixed(digits)));
  }

  /** The builder; `onChange()` is told of another threshold, `onTurn()` when it is turned on or off. */
  explorer.thresholdOf = function (onChange, onTurn) {
    let column = null;
    let step = 1;
    const sign = element("select", { onchange: () => { onTurn(); draw(); onChange(); } }, SIGNS.map(([value, label]) => element("option", { value }, label)));
    const typed = element("input", { type: "text", inputmode: "decimal", autocomplete: "off", onchange() { slider.value = typed.value; draw(); onChange(); } });
    const slider = element("input", { type: "range", "aria-label": "Threshold on the histogram", oninput() { typed.value = short(Number(slider.value), step); draw(); }, onchange: onChange });
    const bars = element("div", { class: "bars", "aria-hidden": "true" });
    const picture = element("div", {}, bars, slider, explorer.field("outcome threshold", "Threshold", typed));
    const node = element("div", { class: "threshold", hidden: true }, explorer.field("outcome sign", "The outcome is", sign), picture);

    const isOn = () => Boolean(column && sign.value);
    const isMean = () => isOn() && sign.value === MEAN;

    function pattern() {
      if (isMean()) return written(column.name);
      return isOn() && typed.value.trim() ? written(column.name) + sign.value + typed.value.trim() : "";
    }

    function draw() {
      picture.hidden = !isOn() || isMean();
      if (picture.hidden) return;
      const { low, high, records } = column.histogram;
      const limit = Number(typed.value);
      const isUp = sign.value.startsWith(">");
      [...bars.children].forEach((bar, place) => {
        const middle = low + ((place + 0.5) * (high - low)) / records.length;
        bar.classList.toggle("in", typed.value.trim() !== "" && (isUp ? middle >= limit : middle <= limit));
      });
    }

    function show(chosen) {
      column = chosen && chosen.histogram ? chosen : null;
      node.hidden = !column;
      sign.value = column && column.n_values > column.values.length ? MEAN : "";  // too many to choose one of
      if (column) {
        const { low, high, records } = column.histogram;
        step = 10 ** Math.floor(Math.log10((high - low) / 100));
        Object.entries({ min: low, max: high, step: "any" }).forEach(([name, value]) => slider.setAttribute(name, value));
        slider.value = (low + high) / 2;
        typed.value = short((low + high) / 2, step);
        const most = Math.max(...records);
        bars.replaceChildren(...records.map((count) => {
          const bar = element("span", { title: explorer.plural(count, "record") });
          bar.style.height = `${(100 * count) / most}%`;
          return bar;
        }));
      }
      draw();
    }

    /** Sign and threshold, if a pattern is one of this column; its name alone is its mean. */
    function partsOf(one, text) {
      const name = written(one.name);
      if (text === name) return [MEAN, ""];
      const rest = text.startsWith(name) ? text.slice(name.length) : "";
      const found = SIGNS.map(([value]) => value).filter((value) => value && value !== MEAN && rest.startsWith(value)).sort((a, b) => b.length - a.length)[0];
      return found && IS_NUMBER.test(rest.slice(found.length)) ? [found, rest.slice(found.length)] : null;
    }

    function set(one, text) {
      show(one);
      const [found, limit] = partsOf(one, text);
      sign.value = found;
      if (limit) slider.value = typed.value = limit;
      draw();
    }

    return { node, show, isOn, isMean, pattern, set, fits: (one, text) => Boolean(one.histogram && partsOf(one, text)) };
  };
})(causalrules);
