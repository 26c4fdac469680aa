/* Questions on their way, and the answers so far. */
(function (page) {
  "use strict";

  const { element, explorer } = page;
  const UNDER_WAY = ["reading", "running"];
  const FILES = [["report.html", "Report (HTML)"], ["result.json", "JSON"], ["rules.csv", "CSV"]];
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
    if (!run.progress) return run.state === "reading" ? "Reading and coding the table…" : "Looking for hypotheses…";
    const { direction, length, tested, to_test: toTest } = run.progress;
    return `What ${direction} the odds, ${explorer.plural(length, "value")} together: ${explorer.count(tested)} of ${explorer.count(toTest)} studies` + (tested < toTest ? "." : "; judging them.");
  }

  /** All runs: started, followed, listed, shown. `labelOf(setting)` gives names to what was changed. */
  explorer.runList = function (places, options) {
    let runs = [];
    let shown = null;
    const compared = new Set();

    function entry(run) {
      const box = element("input", { type: "checkbox", checked: compared.has(run.id), disabled: !hasResult(run),
        "aria-label": `Compare ${NAMES[run.kind]} ${run.id}`, onchange(event) { mark(run.id, event.target.checked); } });
      return element("li", { class: run.id === shown ? "shown" : "" }, box,
        element("button", { type: "button", class: "result", disabled: !hasResult(run), "aria-current": run.id === shown ? "true" : null, onclick: () => explorer.attempt(() => show(run.id)) },
          element("span", { class: "result-name" }, `${NAMES[run.kind]} ${run.id}`), " ", titleOf(run),
          element("span", { class: "quiet" }, foundIn(run), run.changed.length ? " · changed: " + run.changed.map(options.labelOf).join(", ") : "")),
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
        element("div", { class: "results-head" }, element("h2", {}, "Results so far"), runs.filter(hasResult).length > 1 ? compare : null),
        element("ol", {}, runs.map(entry))] : []));
    }

    function drawProgress() {
      const busy = runs.filter(isUnderWay);
      places.progress.replaceChildren(...busy.map((run) => {
        const { tested = null, to_test: toTest = 1 } = run.progress || {};
        return element("div", { class: "under-way" },
          element("p", {}, element("strong", {}, `${NAMES[run.kind]} ${run.id}`), " ", titleOf(run)),
          element("progress", { max: String(Math.max(toTest, 1)), value: tested === null ? null : String(tested), "aria-label": "Progress" }),
          element("p", { class: "quiet" }, stepOf(run)),
          explorer.button("Cancel", "plain", () => cancel(run.id), { disabled: run.stopping }));
      }));
    }

    function replace(run) {
      runs = runs.map((one) => (one.id === run.id ? run : one));
    }

    async function follow(id) {
      for (let wait = 60; ; wait = Math.min(500, wait * 1.6)) {
        await pause(wait);
        const run = await explorer.get(`/api/runs/${id}`);
        const focus = document.activeElement && places.progress.contains(document.activeElement);
        replace(run);
        drawProgress();
        if (focus) places.progress.querySelector("button")?.focus();
        if (!isUnderWay(run)) return run;
      }
    }

    async function finish(run) {
      draw();
      if (run.complaint) {
        const refusal = new Error(run.complaint.text);
        refusal.about = run.complaint.about;
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
        element("div", { class: "downloads", role: "group", "aria-label": "Download" }, element("span", { class: "quiet" }, "Download"),
          FILES.map(([kind, label]) => explorer.button(label, "plain", () => explorer.download(`/api/runs/${run.id}/${kind}`, kind.replace(".", `-${run.id}.`))))));
    }

    async function show(id, { focus = false } = {}) {
      const view = await explorer.get(`/api/runs/${id}/view`);
      const run = runs.find((one) => one.id === id);
      if (!run) return;
      shown = id;
      history.replaceState(null, "", location.pathname);
      places.head.replaceChildren(head(run));
      page.showResult(places.answer, view, { onPickItem: options.onPickItem });
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
