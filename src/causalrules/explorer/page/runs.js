/* Questions on their way, and the answers so far. */
(function (page) {
  "use strict";

  const { element, explorer } = page;
  const UNDER_WAY = ["reading", "running"];
  const FILES = [["report.html", "Report (HTML)"], ["paper.docx", "Word"], ["tables.xlsx", "Excel"], ["paper.tex", "LaTeX"], ["rules.csv", "CSV"], ["result.json", "JSON"]];
  const PATIENCE = 4;
  const NAMES = { search: "Search", study: "Study" };

  const isUnderWay = (run) => UNDER_WAY.includes(run.state);
  const hasResult = (run) => run.verdicts !== null;
  const pause = (milliseconds) => new Promise((done) => { setTimeout(done, milliseconds); });

  function titleOf(run) {
    const outcome = explorer.itemName(run.outcome);
    return run.kind === "study" ? [explorer.patternName(run.hypothesis), " → ", outcome] : ["causes of ", outcome];
  }

  function foundIn(run) {
    if (run.state === "failed") return "failed";
    if (!hasResult(run)) return run.state === "cancelled" ? "cancelled, nothing was finished" : "…";
    const counts = run.verdicts;
    const tested = Object.values(counts).reduce((sum, one) => sum + one, 0);
    if (run.kind === "study") return Object.keys(counts)[0];
    return `${counts.causal || 0} causal of ${tested} tested` + (run.state === "cancelled" ? ", cancelled" : "");
  }

  function stepOf(run) {
    if (run.stopping) return "Stopping after the study it is at…";
    if (!run.progress && run.state === "reading") return "Reading and coding the table…";
    if (!run.progress) return "Looking for hypotheses…" + (run.seconds > PATIENCE ? " The first search after installing takes some seconds more." : "");
    const { direction, length, tested, to_test: toTest } = run.progress;
    const way = direction === "both" ? "raises or lowers" : direction;
    return `What ${way} the odds, ${explorer.plural(length, "value")} together: ${explorer.count(tested)} of ${explorer.count(toTest)} studies` + (tested < toTest ? "." : "; judging them.");
  }

  /** All runs: started, followed, listed, shown. `labelOf(setting)` gives names to what was changed. */
  explorer.runList = function (places, options) {
    let runs = [];
    let shown = null;
    const compared = new Set();
    const panels = new Map();

    function entry(run) {
      const changed = Object.keys(run.changed);
      const box = element("input", { type: "checkbox", checked: compared.has(run.id), disabled: !hasResult(run),
        "aria-label": `Compare ${NAMES[run.kind]} ${run.id}`, onchange(event) { mark(run.id, event.target.checked); } });
      return element("li", { class: run.id === shown ? "shown" : "" }, box,
        element("button", { type: "button", class: "result", disabled: !hasResult(run), "aria-current": run.id === shown ? "true" : null, onclick: () => explorer.attempt(() => show(run.id)) },
          element("span", { class: "result-name" }, `${NAMES[run.kind]} ${run.id}`), " ", titleOf(run),
          element("span", { class: "quiet" }, foundIn(run), changed.length ? " · changed: " + changed.map(options.labelOf).join(", ") : "")),
        isUnderWay(run) ? null : explorer.button("×", "drop", () => forget(run.id), { "aria-label": `Forget ${NAMES[run.kind]} ${run.id}` }));
    }

    function mark(id, isWanted) {
      compared.delete(id);
      if (isWanted) compared.add(id);
      while (compared.size > 2) compared.delete(compared.values().next().value);
      draw();
    }

    function draw() {
      const two = [...compared].filter((id) => runs.some((run) => run.id === id)).sort((a, b) => a - b);
      const compare = explorer.button("Compare the two that are ticked", "plain", () => options.onCompare(runs.find((run) => run.id === two[0]), runs.find((run) => run.id === two[1])), { disabled: two.length !== 2 });
      places.list.replaceChildren(...(runs.length ? [
        element("div", { class: "results-head" }, element("h2", {}, "Results so far"), runs.filter(hasResult).length > 1 ? compare : null,
          runs.some(hasResult) ? explorer.button("Save session", "plain", () => explorer.download("/api/session", "causalrules-session.json")) : null),
        element("ol", {}, runs.map(entry))] : []));
    }

    /** What is under way; its parts are changed, never replaced: a button must not vanish from under a finger. */
    function panel(run) {
      const bar = element("progress", { max: "1", "aria-label": "Progress" });
      const step = element("p", { class: "quiet" });
      const stop = explorer.button("Cancel", "plain", () => cancel(run.id));
      const node = element("div", { class: "under-way" },
        element("p", {}, element("strong", {}, `${NAMES[run.kind]} ${run.id}`), " ", titleOf(run)), bar, step, stop);
      function tell(now) {
        if (now.progress) {
          bar.max = Math.max(now.progress.to_test, 1);
          bar.value = now.progress.tested;
        }
        step.textContent = stepOf(now);
        stop.disabled = now.stopping;
      }
      return { node, tell };
    }

    function drawProgress() {
      const busy = runs.filter(isUnderWay);
      for (const [id, { node }] of panels) {
        if (busy.some((run) => run.id === id)) continue;
        node.remove();
        panels.delete(id);
      }
      for (const run of busy) {
        if (!panels.has(run.id)) {
          panels.set(run.id, panel(run));
          places.progress.prepend(panels.get(run.id).node);
        }
        panels.get(run.id).tell(run);
      }
    }

    function replace(run) {
      runs = runs.map((one) => (one.id === run.id ? run : one));
    }

    async function follow(id) {
      for (let wait = 60; ; wait = Math.min(500, wait * 1.6)) {
        await pause(wait);
        const run = await explorer.get(`/api/runs/${id}`);
        replace(run);
        drawProgress();
        if (!isUnderWay(run)) return run;
      }
    }

    async function finish(run) {
      draw();
      if (run.complaint) {
        const refusal = explorer.refusal(run.complaint.text, run.complaint.about);
        runs = runs.filter((one) => one.id !== run.id);
        draw();
        await explorer.remove(`/api/runs/${run.id}`);
        throw refusal;
      }
      if (hasResult(run)) await show(run.id, { focus: true });
    }

    async function start(question) {
      const run = await explorer.post("/api/runs", question);
      runs = [run, ...runs];
      draw();
      drawProgress();
      places.progress.scrollIntoView({ block: "start" });
      await finish(await follow(run.id));
    }

    async function cancel(id) {
      replace(await explorer.post(`/api/runs/${id}/cancel`));
      drawProgress();
    }

    async function forget(id) {
      await explorer.remove(`/api/runs/${id}`);
      runs = runs.filter((run) => run.id !== id);
      compared.delete(id);
      if (shown === id) options.onForget();
      draw();
    }

    function head(run) {
      return element("div", { class: "answer-head" },
        element("p", {}, element("strong", {}, `${NAMES[run.kind]} ${run.id}`), " in ", element("bdi", {}, explorer.short(run.table)), ", ", run.seconds < 0.1 ? "under 0.1 s" : `${run.seconds.toFixed(1)} s`,
          run.state === "cancelled" ? ". Cancelled: the studies finished before are kept." : ""),
        element("div", { class: "beside" }, explorer.button("Ask again with changes", "plain", () => options.onAskAgain(run)),
          explorer.button("Ask the chosen table the same", "plain", () => options.onAskTheSame(run), { title: "The same outcome, roles and settings, and numbers cut where they were cut here" })),
        element("div", { class: "downloads", role: "group", "aria-label": "Download" }, element("span", { class: "quiet" }, "Download"),
          FILES.map(([kind, label]) => explorer.button(label, "plain", () => explorer.download(`/api/runs/${run.id}/${kind}`, kind.replace(".", `-${run.id}.`))))));
    }

    /** Table 1 of a rule and its matched records, fetched when somebody asks for them. */
    function records(run, rule) {
      const place = element("div", { "aria-live": "polite" });
      const describe = explorer.button("Show Table 1", "plain", async () => {
        describe.disabled = true;
        try {
          place.replaceChildren(...[page.tableOne(await explorer.get(`/api/runs/${run.id}/table1/${rule.id}`))].flat(Infinity));
          describe.remove();
        } finally {
          describe.disabled = false;
        }
      });
      const keep = explorer.button("Download matched records (CSV)", "plain", () => explorer.download(`/api/runs/${run.id}/matched/${rule.id}`, `matched-${run.id}-${rule.id}.csv`));
      return element("div", {}, element("div", { class: "beside" }, describe, keep), place);
    }

    async function show(id, { focus = false } = {}) {
      const view = await explorer.get(`/api/runs/${id}/view`);
      const run = runs.find((one) => one.id === id);
      if (!run) return;
      shown = id;
      history.replaceState(null, "", location.pathname);
      places.head.replaceChildren(head(run));
      page.showResult(places.answer, view, { onPickItem: options.onPickItem, tableOne: (rule) => records(run, rule) });
      draw();
      if (focus) {
        places.answer.focus({ preventScroll: true });
        places.head.scrollIntoView({ block: "start" });
      }
    }

    return {
      start,
      unshow() { shown = null; draw(); },
      begin(known) {
        runs = known;
        draw();
        runs.filter(isUnderWay).forEach((run) => { drawProgress(); explorer.attempt(async () => finish(await follow(run.id))); });
        const latest = runs.find(hasResult);
        return latest ? explorer.attempt(() => show(latest.id)) : null;
      },
    };
  };
})(causalrules);
