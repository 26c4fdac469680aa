/* The outcome's neighbourhood as a small graph: what comes first on the left, what comes after on the right. */
(function (page) {
  "use strict";

  const ROW = 34;
  const BOX = 26;
  const LETTER = 7.3;
  const NARROWEST = 280;

  /** A name that fits into a box. */
  function fitting(text, width) {
    const most = Math.max(3, Math.floor((width - 30) / LETTER));
    const letters = Array.from(text);
    return letters.length > most ? letters.slice(0, most - 1).join("") + "…" : text;
  }

  function nodesOf(view) {
    const shown = view.findings.filter(({ kind }) => kind !== "study");
    const nodes = shown.flatMap(({ kind, findings }) =>
      findings.map(({ columns, between, arrow, p_next: p }) => ({
        name: columns.join(between),
        way: kind === "consequences" ? "effect" : kind === "possible" ? "possible" : arrow || "undecided",
        p: p === null ? 0.5 : p,
      })),
    );
    // One value of a column may be a cause and another only possible: the column is drawn once.
    const certain = new Set(nodes.filter(({ way }) => way !== "possible").map(({ name }) => name));
    return nodes.filter(({ way, name }) => way !== "possible" || !certain.has(name));
  }

  function box(x, y, width, text, className) {
    return page.shape(
      "g",
      { class: "node " + className },
      page.shape("title", {}, text),
      page.shape("rect", { x, y: y - BOX / 2, width, height: BOX, rx: 5 }),
      page.shape("text", { x: x + width / 2, y: y + 4.5, "text-anchor": "middle" }, fitting(text, width)),
    );
  }

  function line(from, to, node) {
    const middle = (from.x + to.x) / 2;
    const [start, end] = node.way === "effect" ? [to, from] : [from, to];
    const side = Math.sign(end.x - start.x);
    const hasHead = node.way === "cause" || node.way === "effect";
    const tip = hasHead ? end.x - 7 * side : end.x;
    return page.shape(
      "g",
      { class: "edge of-" + node.way },
      page.shape("path", {
        d: `M${start.x} ${start.y}C${middle} ${start.y} ${middle} ${end.y} ${tip} ${end.y}`,
        "stroke-width": (1 + 3 * node.p).toFixed(1),
      }),
      hasHead
        ? page.shape("path", { class: "head", d: `M${end.x} ${end.y}l${-9 * side} -5v10Z` })
        : page.shape("text", { x: start.x - 11, y: start.y + 4.5, "text-anchor": "middle" }, "?"),
    );
  }

  function draw(view, nodes, width) {
    const right = nodes.filter((node) => node.way === "effect");
    const left = nodes.filter((node) => node.way !== "effect");
    const rows = Math.max(left.length, right.length, 1);
    const height = rows * ROW + 8;
    const sides = (left.length ? 1 : 0) + (right.length ? 1 : 0);
    const side = Math.min(280, width * (sides > 1 ? 0.34 : 0.46));
    const room = sides > 1 ? width * 0.24 : width * 0.4;
    const own = Math.min(240, room);
    const x = sides > 1 ? (width - own) / 2 : left.length ? Math.min(width - own, side + 260) : 0;
    const rightX = Math.min(width - side, x + own + 260);
    const middle = height / 2;
    const placesOf = (some) => some.map((node, place) => height / 2 + (place - (some.length - 1) / 2) * ROW);
    const spread = Math.min(14, (height - 12) / rows);
    const shapes = [];
    for (const [some, isLeft] of [[left, true], [right, false]]) {
      placesOf(some).forEach((y, place) => {
        const own_y = middle + (place - (some.length - 1) / 2) * spread;
        const from = { x: isLeft ? side : rightX, y };
        const to = { x: isLeft ? x : x + own, y: own_y };
        shapes.push(box(isLeft ? 0 : rightX, y, side, some[place].name, "of-" + some[place].way), line(from, to, some[place]));
      });
    }
    const tall = Math.max(BOX, Math.max(left.length, right.length) * spread + 8);
    shapes.push(
      page.shape(
        "g",
        { class: "node outcome" },
        page.shape("title", {}, view.outcome),
        page.shape("rect", { x, y: middle - tall / 2, width: own, height: tall, rx: 5 }),
        page.shape("text", { x: x + own / 2, y: middle + 4.5, "text-anchor": "middle" }, fitting(view.outcome, own)),
      ),
    );
    const end = right.length ? rightX + side : x + own;
    return page.shape(
      "svg",
      { role: "img", "aria-label": inWords(view, nodes), viewBox: `-1 0 ${Math.ceil(end) + 2} ${height}`, width: Math.ceil(end) + 2, height },
      shapes,
    );
  }

  const WORDS = {
    cause: "come before",
    effect: "come after",
    undecided: "stand next to, in an order that is not known,",
    possible: "may stand next to",
  };

  function inWords(view, nodes) {
    const parts = Object.keys(WORDS).flatMap((way) => {
      const names = nodes.filter((node) => node.way === way).map((node) => node.name);
      return names.length ? [`${names.join(", ")} ${WORDS[way]} ${view.outcome}.`] : [];
    });
    return parts.join(" ");
  }

  /** The graph, drawn again when there is more or less room; nothing without neighbours. */
  page.neighbourhood = function (view) {
    const nodes = nodesOf(view);
    if (!nodes.length) return null;
    const place = page.element("div", { class: "graph" });
    let drawn = 0;
    const observer = new ResizeObserver(([entry]) => {
      const width = Math.max(NARROWEST, Math.floor(entry.contentRect.width));
      if (width === drawn) return;
      drawn = width;
      place.replaceChildren(draw(view, nodes, width));
    });
    observer.observe(place);
    return page.section(
      2,
      "Around the outcome",
      "neighbourhood",
      place,
      page.element(
        "p",
        { class: "quiet" },
        "What is directly linked to the outcome. An arrow: the data, or you, say what comes first. Dashed with “?”: not known. The thicker a line, the more probable.",
      ),
    );
  };
})(causalrules);
