# Exact, nearest Mahalanobis and propensity matching by MatchIt on a table of 0/1 columns.
# Rscript matchit.R table.csv result.json [exact]: the first column is the exposure, the second the outcome.
suppressMessages(library(MatchIt))
arguments <- commandArgs(TRUE)
table <- read.csv(arguments[1])
controls <- names(table)[-(1:2)]
formula <- as.formula(paste("exposure ~", paste(controls, collapse = " + ")))
unexposed_is_larger <- mean(table$exposure) <= 0.5

describe <- function(matched, seconds) {
  weights <- matched$weights
  shares <- sapply(controls, function(name) {
    exposed <- table$exposure == 1
    weighted.mean(table[[name]][exposed], weights[exposed]) -
      weighted.mean(table[[name]][!exposed], weights[!exposed])
  })
  sprintf(
    '{"exposed": %d, "unexposed": %d, "mean_difference": %.10f, "worst_difference": %.10f, "seconds": %.4f}',
    sum(weights[table$exposure == 1] > 0), sum(weights[table$exposure == 0] > 0),
    mean(abs(shares)), max(abs(shares)), seconds
  )
}

timed <- function(before, ...) {
  set.seed(0)
  seconds <- system.time(matched <- matchit(formula, data = table, ...))[["elapsed"]]
  describe(matched, before + seconds)
}

# Nearest matching lets the exposed seek; where they are the larger side, the unexposed must.
estimand <- if (unexposed_is_larger) "ATT" else "ATC"
# MatchIt 4.5.1 cuts differences off to whole numbers before it compares them with the caliper, so that
# every caliper below 1 acts as 1. Scores a million times as large lose nothing by it.
started <- proc.time()[["elapsed"]]
scores <- 1e6 * predict(glm(formula, data = table, family = binomial))
scoring <- proc.time()[["elapsed"]] - started
parts <- c(exact = timed(0, method = "exact"))
if (arguments[3] != "exact") parts <- c(
  parts,
  mahalanobis = timed(0, method = "nearest", distance = "mahalanobis", estimand = estimand),
  propensity = timed(
    scoring, method = "nearest", distance = scores, caliper = 0.2, m.order = "random", estimand = estimand
  )
)
cat("{", paste(sprintf('"%s": %s', names(parts), parts), collapse = ",\n "), "}\n", file = arguments[2])
