/* Numbers as people read them; the same rules as in the terminal. */
(function (page) {
  "use strict";

  const withCommas = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });
  const withTenths = new Intl.NumberFormat("en-US", { maximumFractionDigits: 1 });
  /** Whole numbers; of averages over pairings below ten, also tenths. */
  page.count = (value) => (value < 10 ? withTenths : withCommas).format(value);

  /** Three significant digits, without exponents where people read none; nothing known is infinite. */
  page.number = function (value) {
    if (value === null || value === undefined) return "∞";
    const size = Math.abs(value);
    if (size >= 1e6 || (size > 0 && size < 0.01)) return value.toPrecision(2);
    if (size >= 1000) return page.count(value);
    return size >= 100 ? value.toFixed(0) : value.toFixed(2);
  };

  /** A difference of means with its sign; what is not known is infinite. */
  page.difference = function (value) {
    if (value === null || value === undefined) return "∞";
    return (value > 0 ? "+" : value < 0 ? "−" : "") + page.number(Math.abs(value));
  };

  page.interval = ([, low, high]) => page.number(low) + " – " + page.number(high);

  page.percent = (share, digits = 0) => (100 * share).toFixed(digits) + " %";

  page.points = function (share) {
    const text = (100 * share).toFixed(1);
    return (share > 0 ? "+" : "") + text.replace("-", "−") + " points";
  };

  page.probability = (value) =>
    value === null || value === undefined
      ? "–"
      : value === 0
        ? "< 1e-300"
        : value < 0.001
          ? value.toExponential(1)
          : value.toPrecision(2);
})(causalrules);
