"""Results of the next method made by hand: what a run could have found, without a run."""

from causalrules.words.findings import (
    Balance,
    Effect,
    Factor,
    Finding,
    Interaction,
    Level,
    Note,
    SecondOpinion,
    Sensitivity,
    Trend,
)
from causalrules.words.result import ColumnFacts, DataFacts, OutcomeFacts, Result


def around(value, half):
    return (value, value - half, value + half)


def levels(reference, half=0.02, **risks):
    """Levels by name with their risks; the first word of a name may stand for more: `a_b` is "a b"."""
    base = risks[reference]
    found = []
    for place, (name, risk) in enumerate(risks.items()):
        is_reference = name == reference
        odds = (risk / (1 - risk)) / (base / (1 - base)) if 0 < risk < 1 and 0 < base < 1 else None
        found.append(
            Level(
                level=name.replace("_", " "),
                records=1000 - 100 * place,
                crude=risk + 0.01,
                risk=around(risk, half),
                difference=(0.0, 0.0, 0.0) if is_reference else around(risk - base, 1.4 * half),
                ratio=around(risk / base, 0.0 if is_reference else 0.1),
                odds_ratio=None if odds is None else around(odds, 0.0 if is_reference else 0.2),
                p=None if is_reference else 0.0004,
            )
        )
    return tuple(found)


def effect(reference, half=0.02, trend=None, interaction=None, estimand="adjusted", **risks):
    found = levels(reference, half, **risks)
    n = len(found)
    variance = (half / 1.959964) ** 2
    return Effect(
        estimand=estimand,
        applies_to=1980,
        left_out={"missing": 12, "implausible": 8},
        reference=reference.replace("_", " "),
        levels=found,
        trend=trend,
        interaction=interaction,
        covariance=tuple(tuple(variance if i == j else 0.0 for j in range(n)) for i in range(n)),
    )


def finding(name, verdict, grade=None, moves=None, **more):
    """A finding about one column, or about several where names stand in a list."""
    names = [name] if isinstance(name, str) else name
    factors = tuple(Factor(columns=tuple(one.split(" & "))) for one in names)
    spread = None if moves is None else around(moves, moves / 5)
    return Finding(factors=factors, verdict=verdict, grade=grade, moves=spread, **more)


def result(findings, notes=(), question="mine", kinds=None, columns=(), settings=None, **facts):
    asked = {"name": "income=>50K", "column": "income", "kind": "event"}
    asked |= {"with_it": 11687, "mean": 0.239, "spread": 0.43} | facts
    kinds = kinds or {}
    names = dict.fromkeys([*columns, *(c for one in findings for f in one.factors for c in f.columns)])
    return Result(
        version="0.3.0",
        created="2026-01-31T12:00:00+00:00",
        question=question,
        settings=settings or {},
        knowledge={},
        seed=0,
        data=DataFacts(
            source="adult.csv",
            records=48842,
            used=48842,
            outcome=OutcomeFacts(**asked),
            columns=tuple(ColumnFacts(name=one, kind=kinds.get(one, "category")) for one in names),
        ),
        notes=tuple(notes),
        findings=tuple(findings),
        timings={"read": 0.5},
    )


def adult():
    """The picture of a census: categories, curves, a pair, what is explained, a weight."""
    education = {"8_or_less": 0.12, "9": 0.18, "10_to_12": 0.24, "13_to_14": 0.33, "15_or_more": 0.47}
    age = {"21": 0.05, "29": 0.17, "45": 0.31, "52": 0.30, "60": 0.27}
    pair = Interaction(
        cell="local-gov & protective-serv",
        risk=around(0.41, 0.05),
        expected=around(0.30, 0.04),
        reri=around(0.5, 0.3),
        p=0.0003,
    )
    cells = {
        "local-gov & protective-serv": 0.41,
        "local-gov & other": 0.25,
        "other & protective-serv": 0.29,
        "other & other": 0.24,
    }
    married = {"Married-civ-spouse": 0.44, "Divorced": 0.10, "Never-married": 0.08, "Widowed": 0.09}
    return result(
        [
            finding(
                ["marital_status", "relationship"],
                "cause",
                "strong",
                0.15,
                p=1e-200,
                p_corrected=1e-199,
                p_link=1.0,
                effect=effect("Married-civ-spouse", **married),
                adjusted_for=("age", "education_num"),
            ),
            finding(
                "education_num",
                "cause",
                "strong",
                0.11,
                effect=effect(
                    "8_or_less",
                    trend=Trend(per_unit=around(0.04, 0.004), per_sd=around(0.1, 0.01), p=3e-80),
                    **education,
                ),
            ),
            finding("age", "cause", "moderate", 0.09, time="before", effect=effect("21", **age)),
            finding(
                "occupation",
                "cause",
                "strong",
                0.06,
                effect=effect(
                    "Craft-repair", **{"Exec-managerial": 0.37, "Craft-repair": 0.22, "Farming": 0.12}
                ),
            ),
            finding(
                "workclass & occupation",
                "cause",
                "moderate",
                0.01,
                effect=effect("other & other", interaction=pair, **cells),
            ),
            finding("native_country", "possible", "fragile", 0.01, rivals=("race",), p=0.003),
            finding("sex", "possible", "fragile", 0.004, p=0.03, p_corrected=0.11, p_link=0.3),
            finding("race", "explained", explained_by=("education_num", "occupation", "marital_status")),
            finding("hand", "no difference", p=0.6),
            finding("eye_colour", "no difference", p=0.4),
            finding("tax_paid", "after"),
            finding("fnlwgt", "set aside", notes=(Note("survey_weight", {"column": "fnlwgt"}),)),
        ],
        notes=[Note("survey_weight", {"column": "fnlwgt"})],
        kinds={"age": "number", "education_num": "number", "fnlwgt": "number"},
    )


def trial():
    """A test of one treatment against another, as its authors randomised it."""
    rx = effect("Obs", half=0.03, **{"Obs": 0.51, "Lev": 0.49, "Lev+5FU": 0.36})
    one = finding(
        "rx",
        "cause",
        "strong",
        0.065,
        p=0.0004,
        p_crude=0.0002,
        effect=rx,
        second_opinion=SecondOpinion(
            level="Lev+5FU",
            against="Obs",
            pairs=290,
            difference=around(-0.14, 0.08),
            expected=-0.13,
            agrees=True,
        ),
        sensitivity=Sensitivity(gamma=None, e_value=2.1, e_value_of_limit=1.6),
    )
    known = {"name": "died=yes", "column": "died", "with_it": 452, "mean": 0.486, "spread": 0.5}
    return result([one], question="test", settings={"randomised": ["rx"]}, **known)


def chain():
    """Smoking, whose effect goes through tar: two findings, in the order of the answer."""
    tar = finding(
        "tar",
        "cause",
        "strong",
        0.12,
        p=1e-30,
        p_link=0.99,
        effect=effect("low", low=0.12, high=0.44),
        adjusted_for=("smoker",),
        second_opinion=SecondOpinion(
            level="high", against="low", pairs=640, difference=around(0.31, 0.05), expected=0.32, agrees=True
        ),
        sensitivity=Sensitivity(gamma=2.4, e_value=3.1, e_value_of_limit=2.7),
        balance=(Balance(column="smoker", before=0.82, after=0.03, by_chance=0.05),),
        notes=(Note("rare_level", {"level": "high", "records": 12}),),
    )
    smoker = finding(
        "smoker",
        "explained",
        p=0.4,
        p_crude=1e-9,
        p_link=0.02,
        explained_by=("tar",),
        effect=effect("no", no=0.25, yes=0.26),
        adjusted_for=("tar",),
    )
    return result([tar, smoker], name="ill=yes", column="ill", with_it=600, mean=0.3, spread=0.46)


def mean():
    """Birth weights: a mean, so differences have its unit."""
    weeks = (
        Level(
            level="34", records=40, crude=2100.0, risk=(2150.0, 2000.0, 2300.0), difference=(0.0, 0.0, 0.0)
        ),
        Level(
            level="37",
            records=90,
            crude=2750.0,
            risk=(2700.0, 2620.0, 2790.0),
            difference=(550.0, 400.0, 700.0),
            p=1e-9,
        ),
        Level(
            level="40",
            records=300,
            crude=3330.0,
            risk=(3320.0, 3270.0, 3370.0),
            difference=(1170.0, 1010.0, 1330.0),
            p=1e-30,
        ),
    )
    found = Effect(
        estimand="adjusted",
        applies_to=430,
        left_out={},
        reference="34",
        levels=weeks,
        trend=Trend(per_unit=(195.0, 168.0, 222.0), per_sd=(420.0, 360.0, 480.0), p=1e-40),
        covariance=((5800.0, 0.0, 0.0), (0.0, 1880.0, 0.0), (0.0, 0.0, 650.0)),
    )
    one = finding("weeks", "cause", "moderate", 380.0, p=1e-40, effect=found)
    return result(
        [one],
        kinds={"weeks": "number"},
        name="birth_weight",
        column="birth_weight",
        kind="mean",
        with_it=0,
        mean=2944.7,
        spread=729.2,
    )


def nothing():
    """No cause among columns that make no difference."""
    names = [f"column_{number}" for number in range(30)]
    return result([finding(name, "no difference", p=0.5) for name in names])


def wide():
    """Three hundred columns of every verdict."""
    verdicts = ["cause", "possible", "explained", "no difference", "after", "not comparable", "set aside"]
    found = [
        finding(
            f"measurement_number_{number}",
            verdict,
            "moderate" if verdict in ("cause", "possible") else None,
            0.2 / (1 + number) if verdict in ("cause", "possible") else None,
            effect=effect("no", no=0.2, yes=0.3) if verdict == "cause" else None,
            rivals=("another",) if verdict == "possible" else (),
            explained_by=("age", "sex") if verdict == "explained" else (),
        )
        for verdict in verdicts
        for number in range(43)
    ]
    return result(found)
