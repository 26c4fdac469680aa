"""Phrases by which notes and reasons are recognised: who writes a sentence and who looks for it share them.

A result keeps notes and reasons as sentences, and so do files of earlier versions.
Therefore these words stay as they are; a sentence may be reworded around them.
"""

# Of notes, after the name of a column.
REPEATS = " repeats: "
LOOKS_LIKE_A_WEIGHT = " looks like the weight of a survey"
NEARLY_DECIDES = " nearly decides the outcome"

# Of notes, after "Is" and the name of a column.
HOW_LONG_OBSERVED = " how long each record was observed?"

# Of notes, anywhere.
DECIMAL_COMMA = "numbers with a decimal comma"

# Why a column is left out.
WITHOUT_A_CUT = "without a cut"
NOT_ASKED_FOR = "not among the columns asked for"

# Why a hypothesis could not be tested.
BESIDE_LEAKS = "which nearly decide"
SEARCH_DISAGREES = "study and search disagree: matched records differ"
TOO_FEW_RECORDS = "too few records to tell"
NO_PARTNERS = "no partners"
NOT_TOLD_APART = "cannot be told apart from "
DOES_NOT_VARY = "does not vary"
ALL_OR_NONE_EXPOSED = "record is exposed"

# Why an association was rejected, at the beginning.
NO_CLEAR_DIFFERENCE = "comparable records show"
NOT_SIGNIFICANT = "not significant"
EXPLAINED_AWAY_BY = "explained away by "
BY_ALL_HELD = "explained away by all that is adjusted for"
WITHOUT_OTHER_VALUES = "compared with the values other than "

# Of what nearly decides or settles the outcome, and may be known only with it.
NEARLY = "nearly"

# Why an effect is causal only by its dependence on another column, at the beginning.
DEPENDS_ON = "its effect depends on"

# Why a causal rule is fragile, at the beginning: what it is adjusted for nearly settles the outcome and may
# come after it; its arms differ in what nearly is the outcome and may come before it; or records seem to be
# left out by exposure and outcome together.
ADJUSTED_FOR = "adjusted for"
NOT_ADJUSTED_FOR = "not adjusted for"
LEFT_OUT_DIFFER = "who is left out differs"
