/* First step: the table. */
(function (page) {
  "use strict";

  const { element, explorer } = page;

  const size = (bytes) => (bytes < 1e6 ? `${Math.max(1, Math.round(bytes / 1e3))} kB` : `${(bytes / 1e6).toFixed(bytes < 1e8 ? 1 : 0)} MB`);

  /** The file that a sheet or a table is a part of. */
  const wholeOf = (id) => id.split("\0")[0];

  /** The choice of a table; `onTable(table, file)` hears what it holds. */
  explorer.fileStep = function (start, onTable) {
    let files = start.files;
    let opened = 0;
    const select = element("select", { onchange: () => explorer.attempt(open) });
    const picker = element("input", { type: "file", class: "unseen", id: "upload", onchange: () => explorer.attempt(take) });
    const told = element("p", { class: "quiet", role: "status" });
    const node = element("fieldset", { class: "step" }, element("legend", {}, "Table"),
      explorer.field("file", "File", select),
      element("p", { class: "beside" }, picker, element("label", { for: "upload", class: "plain" }, "Upload a file…"),
        element("span", { class: "quiet" }, `up to ${size(start.largest_upload)}; it stays on this machine`)),
      told);

    function list(chosen) {
      const none = element("option", { value: "" }, files.length ? "Choose a table" : "No table in this folder");
      select.replaceChildren(none, ...files.map((file) => element("option", { value: file.id, title: file.name }, `${explorer.short(file.name)} (${size(file.bytes)})`)));
      select.value = chosen || "";
    }

    async function take() {
      const [file] = picker.files;
      picker.value = "";
      if (!file) return;
      if (file.size > start.largest_upload) throw explorer.refusal(`The file was not taken: it is larger than ${size(start.largest_upload)}. Open the explorer with its folder instead: causalrules explore FOLDER`, "upload");
      told.textContent = "Taking the file…";
      try {
        const taken = await explorer.upload(file);
        files = [taken, ...files];
        list(taken.id);
      } finally {
        told.textContent = "";
      }
      await open();
    }

    /** Read the table that is chosen; whether nobody has chosen again meanwhile. */
    async function open() {
      const mine = (opened += 1);
      onTable(null, "");
      told.textContent = select.value ? "Reading…" : "";
      if (!select.value) return true;
      const wanted = select.value;
      try {
        const table = await explorer.post("/api/table", { file: wanted });
        if (mine !== opened) return false;
        if (table.parts.length && table.file !== wanted) {
          files = files.flatMap((file) => (file.id === wanted ? table.parts : [file]));
          list(table.file);
        }
        told.replaceChildren(`${explorer.plural(table.rows, "record")}, ${explorer.plural(table.columns.length, "column")}.`,
          ...table.notes.map((note) => element("span", { class: "note" }, " " + note)));
        onTable(table, table.file);
        return true;
      } catch (refusal) {
        if (mine !== opened) return false;
        told.textContent = "";
        throw refusal;
      }
    }

    /** Have the sample table made, unless it is there already, and open it. */
    async function sample() {
      const there = files.find((file) => file.name === start.sample.name);
      const made = there || (await explorer.post("/api/sample"));
      if (!there) files = [made, ...files];
      list(made.id);
      return open();
    }

    /** Open a table by its id. */
    function choose(id) {
      if (!has(id)) throw explorer.refusal("This table is no longer among the files. Choose another.", "file");
      const base = files.findIndex((file) => file.id === wholeOf(id));
      if (base >= 0 && id !== wholeOf(id)) {
        const part = { ...files[base], id, name: `${files[base].name}: ${id.slice(wholeOf(id).length + 1)}` };
        if (!files.some((file) => file.id === id)) files = [...files.slice(0, base + 1), part, ...files.slice(base + 1)];
        list(id);
      }
      select.value = id;
      return open();
    }

    /** Whether a table, or the file that it is a part of, is among the files. */
    function has(id) {
      return files.some((file) => file.id === id || file.id === wholeOf(id));
    }

    list(files.length === 1 ? files[0].id : "");
    return { node, open, choose, sample, has };
  };
})(causalrules);
