/* A page that holds its own result. */
causalrules.showResult(
  document.getElementById("page"),
  JSON.parse(document.getElementById("result").textContent),
);
