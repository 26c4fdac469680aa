/* The page put together: a question on one side, answers on the other. */
(function (page) {
  "use strict";

  const { element, explorer } = page;
  const at = (id) => document.getElementById(id);

  /** Reopen a session: the button, and where it is told what is wrong with a file. */
  function reopener(onReopened) {
    const picker = element("input", { type: "file", class: "unseen", id: "session-file", accept: ".json,application/json", onchange: () => explorer.attempt(take) });
    async function take() {
      const [file] = picker.files;
      picker.value = "";
      if (!file) return;
      const text = await file.text();
      let saved;
      try {
        saved = JSON.parse(text);
      } catch {
        throw explorer.refusal("This file is no saved session. Choose one that “Save session” wrote.", "session");
      }
      onReopened((await explorer.post("/api/session", saved)).runs);
    }
    return element("span", { class: "session", "data-about": "session" }, picker, element("label", { for: "session-file", class: "plain" }, "Reopen a session…"));
  }

  function welcome(start, trySample) {
    const steps = ["Choose a table and the outcome whose causes you seek.", "Find causes: every hypothesis gets a cohort study of its own.",
      "Read the evidence, pick values to test a hypothesis of your own, and compare results."];
    at("answer").replaceChildren(element("h1", {}, "What causes it?"),
      element("ol", { class: "steps" }, steps.map((text) => element("li", {}, text))),
      element("div", { class: "begin" }, explorer.button("Try sample data", "plain", trySample), element("span", { class: "quiet" }, start.sample.about)),
      element("p", { class: "quiet" }, `Everything stays on this machine. causalrules ${start.version}.`));
    at("answer-head").replaceChildren();
  }

  function build(start) {
    let file = "";
    let asked = 0;
    const places = { progress: at("progress"), list: at("results"), head: at("answer-head"), answer: at("answer") };
    const outcome = explorer.outcomeStep(() => explorer.attempt(refresh));
    const columns = explorer.columnStep(at("roles"), () => explorer.attempt(refresh));
    const settings = explorer.settingsStep(start.form, () => explorer.attempt(refresh));
    const tray = explorer.tray(at("tray"), at("chooser"), (hypothesis) => runs.start({ ...question(), hypothesis }));
    const files = explorer.fileStep(start, onTable);
    const labelOf = (name) => start.labels[name] || settings.labelOf(name);
    const runs = explorer.runList(places, {
      labelOf,
      onPickItem: tray.pick,
      onForget: () => welcome(start, trySample),
      onAskAgain: async (run) => {
        await askAgain(run);
        at("question").querySelector("select").focus();
      },
      onAskTheSame: async (run) => {
        await putInto(run, { ...run.changed, cut: run.cuts });
        at("question").querySelector("button.first").focus();
      },
      onCompare: async (first, second) => {
        runs.unshow();
        await explorer.showComparison(places, first, second, { labelOf, onPickItem: tray.pick });
      },
    });
    const go = element("button", { type: "submit", class: "first" }, "Find causes");
    const run = element("div", { class: "go", "data-about": "run", hidden: true }, go);
    const typed = element("code", { class: "typed", tabindex: "0" });
    const copy = explorer.button("Copy", "plain", () => navigator.clipboard.writeText(typed.textContent));
    const command = element("details", { class: "command", hidden: true }, element("summary", {}, "As a command"), typed, copy);

    function question() {
      return { file, outcome: outcome.chosen(), settings: { ...settings.values(), ...columns.settings(), ...outcome.settings() } };
    }

    function onTable(table, chosen) {
      file = chosen;
      asked += 1;
      tray.hide();
      [outcome, columns, settings].forEach((step) => step.show(table));
      run.hidden = !table;
    }

    /** Learn what the table looks like for this outcome: counts, items, and columns that take no part. */
    async function refresh() {
      const mine = (asked += 1);
      outcome.untell();
      command.hidden = true;
      if (!outcome.chosen()) {
        tray.hide();
        return;
      }
      const items = await explorer.post("/api/items", question());
      if (mine !== asked) return;
      outcome.tell(items);
      typed.textContent = items.command;
      command.hidden = false;
      columns.tell(items);
      tray.show(items);
    }

    /** A table and an outcome to begin with. */
    async function trySample() {
      if (!(await files.sample())) return;
      outcome.set(start.sample.outcome);
      await refresh();
      at("question").querySelector("button.first").focus();
    }

    /** Put the outcome and the hypothesis of an earlier question into the form, and these settings. */
    async function putInto(run, changed) {
      outcome.set(run.outcome);
      columns.set(changed);
      settings.set(changed);
      await refresh();
      if (run.hypothesis.length) tray.pick(run.hypothesis);
    }

    /** Put an earlier question into the form, with its table. */
    async function askAgain(run) {
      if (await files.choose(run.file)) await putInto(run, run.changed);
    }

    const form = at("question");
    form.replaceChildren(files.node, outcome.node, columns.node, settings.node, command, run);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      explorer.attempt(() => runs.start(question()));
    });
    at("where").textContent = start.title;
    at("reopen").replaceChildren(reopener((reopened) => {
      runs.begin(reopened);
      const latest = reopened[0];
      if (latest && files.has(latest.file)) explorer.attempt(() => askAgain(latest));
    }));
    welcome(start, trySample);
    explorer.attempt(() => (start.runs.length ? askAgain(start.runs[0]) : files.open()));
    runs.begin(start.runs);
  }

  async function begin() {
    try {
      build(await explorer.get("/api/start"));
    } catch (refusal) {
      at("answer").replaceChildren(element("h1", {}, "This page cannot be used yet"), element("p", { class: "lead" }, refusal.message));
    }
  }

  begin();
})(causalrules);
