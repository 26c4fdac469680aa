/* The answer in words. */
(function (page) {
  "use strict";

  const turned = (ratio) => (ratio === null ? 0 : ratio > 0 ? 1 / ratio : null);

  /** An estimate as a factor on the odds of the outcome: below 1 for what lowers them. */
  page.factors = ({ direction, mean }, [value, low, high]) =>
    mean || direction === "raises" ? [value, low, high] : [turned(value), turned(high), turned(low)];

  /** What the pattern does to the outcome itself: the odds ratio, or the difference of means. */
  page.signed = (rule, ratio) =>
    rule.mean ? page.difference(ratio) : page.number(page.factors(rule, [ratio, ratio, ratio])[0]);

  page.ratioInterval = function (rule, ratio) {
    if (rule.mean) return page.difference(ratio[1]) + " – " + page.difference(ratio[2]);
    return page.interval(page.factors(rule, ratio));
  };

  /** A text in which options of the terminal are never broken between their hyphens. */
  const withOptions = (text) =>
    text.split(/(--[a-z][a-z-]*)/).map((part, place) => (place % 2 ? page.element("code", { class: "option" }, part) : part));

  /** What to know before reading on, with what to do about it. */
  function notes(heading, className, entries) {
    if (!entries || !entries.length) return null;
    const notices = entries.map(([text, advice]) =>
      page.element(
        "li",
        { class: text.startsWith("– ") ? "sub" : null },
        page.element("span", {}, withOptions(text.replace(/^– /, ""))),
        advice ? page.element(advice.includes("--") ? "code" : "span", { class: "advice" }, advice) : null,
      ),
    );
    return page.section(2, heading, className, page.element("ul", {}, notices));
  }

  page.answer = (view) =>
    page.element(
      "header",
      { class: "answer" },
      page.element("h1", {}, view.answer.title),
      page.element("p", { class: "lead" }, view.answer.lead),
      notes("Read this first", "first", view.answer.first),
      notes("What to do next", "first next", view.answer.next),
      view.answer.cautions.length
        ? page.element(
            "ul",
            { class: "cautions" },
            view.answer.cautions.map((text) => page.element("li", {}, text)),
          )
        : null,
      view.columns && view.columns.length
        ? page.element("p", { class: "to-variables" }, page.element("a", { href: "#variables" }, "Why is my variable not here?"))
        : null,
    );
})(causalrules);
