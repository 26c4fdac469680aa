/* First step: the table. */
(function (page) {
  "use strict";

  const { element, explorer } = page;

  const size = (bytes) => (bytes < 1e6 ? `${Math.max(1, Math.round(bytes / 1e3))} kB` : `${(bytes / 1e6).toFixed(bytes < 1e8 ? 1 : 0)} MB`);

  /** The choice of a table; `onTable(table, file)` hears what it holds. */
  explorer.fileStep = function (start, onTable) {
    let files = start.files;
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

    async function open() {
      onTable(null, "");
      if (!select.value) return;
      const wanted = select.value;
      told.textContent = "Reading…";
      try {
        const table = await explorer.post("/api/table", { file: wanted });
        if (wanted !== select.value) return;
        told.replaceChildren(`${explorer.plural(table.rows, "record")}, ${explorer.plural(table.columns.length, "column")}.`,
          ...table.notes.map((note) => element("span", { class: "note" }, " " + note)));
        onTable(table, wanted);
      } catch (refusal) {
        told.textContent = "";
        throw refusal;
      }
    }

    list(files.length === 1 ? files[0].id : "");
    return { node, begin: () => explorer.attempt(open) };
  };
})(causalrules);
