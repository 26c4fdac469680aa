/* The end of the page: what is needed to audit the result and to make it again. */
(function (page) {
  "use strict";

  const list = (entries) =>
    page.element(
      "dl",
      {},
      entries.map(([term, text, isChanged]) => [
        page.element("dt", {}, term),
        page.element(
          "dd",
          { class: isChanged ? "changed" : null },
          page.element("bdi", {}, text),
          isChanged ? page.element("span", { class: "quiet" }, " (not the default)") : null,
        ),
      ]),
    );

  function leftOut(about) {
    if (!about.left_out.length) return page.element("p", {}, "Every column takes part.");
    return page.element(
      "dl",
      {},
      about.left_out.map(([column, reason]) => [
        page.element("dt", {}, page.anyName(column)),
        page.element("dd", {}, reason),
      ]),
    );
  }

  page.about = function (view) {
    const { about } = view;
    return page.section(
      2,
      "How this was made",
      "about",
      page.element(
        "div",
        { class: "about-parts" },
        page.section(
          3,
          "Data",
          "",
          list(about.data),
          about.notes.map((note) => page.element("p", { class: "quiet" }, page.element("bdi", {}, note))),
        ),
        page.section(3, "Columns left out", "", leftOut(about)),
        page.section(3, "Run", "", list(about.run)),
        page.section(3, "Time spent", "", list(about.timings)),
      ),
      page.element(
        "details",
        { class: "settings" },
        page.element("summary", {}, "All settings"),
        list(about.settings),
      ),
      page.section(
        3,
        "To repeat it",
        "repeat",
        page.element(
          "pre",
          { tabindex: "0", role: "group", "aria-label": "command" },
          page.element("code", {}, about.repeat.command),
        ),
        about.repeat.note ? page.element("p", { class: "quiet" }, about.repeat.note) : null,
      ),
    );
  };
})(causalrules);
