"""Agreement of made-up raters, computed with scikit-learn, statsmodels and krippendorff.

tests/commands/rate.rs compares rolecall's own with what this printed:

    pip install numpy==2.4.6 scikit-learn==1.9.1 statsmodels==0.15.0 krippendorff==0.9.0
    python tests/original/agreement.py > tests/original/agreement.jsonl

A line is a set of items with the label of each rater (null: none). Nothing here shares code with rolecall.
"""

import json

import krippendorff
import numpy as np
from sklearn.metrics import cohen_kappa_score, confusion_matrix
from statsmodels.stats.inter_rater import aggregate_raters, fleiss_kappa

random = np.random.default_rng(6)


def made_up(items, raters, labels, skill, missing):
    truth = random.integers(labels, size=items)
    rows = []
    for own in truth:
        row = []
        for rater in range(raters):
            label = own if random.random() < skill[rater] else random.integers(labels)
            row.append(None if random.random() < missing else int(label))
        rows.append(row)
    return rows


def line(rows, labels, ordinal):
    raters = len(rows[0])
    pairs = []
    for one in range(raters):
        for other in range(one + 1, raters):
            both = [(r[one], r[other]) for r in rows if r[one] is not None and r[other] is not None]
            a, b = [x for x, _ in both], [y for _, y in both]
            known = list(range(labels))
            pairs.append(
                {
                    "raters": [one, other],
                    "items": len(both),
                    "raw": float(np.mean(np.array(a) == np.array(b))),
                    "kappa": float(
                        cohen_kappa_score(
                            a, b, labels=known, weights="quadratic" if ordinal else None
                        )
                    ),
                    "confusion": confusion_matrix(a, b, labels=known).tolist(),
                }
            )
    complete = [r for r in rows if None not in r]
    table, _ = aggregate_raters(np.array(complete), n_cat=labels)
    data = np.array([[np.nan if x is None else x for x in r] for r in rows], float).T
    alpha = krippendorff.alpha(
        reliability_data=data,
        value_domain=list(range(labels)),
        level_of_measurement="ordinal" if ordinal else "nominal",
    )
    print(
        json.dumps(
            {
                "labels": labels,
                "ordinal": ordinal,
                "items": rows,
                "pairs": pairs,
                "fleiss": float(fleiss_kappa(table)),
                "alpha": float(alpha),
            }
        )
    )


for labels, ordinal in [(2, False), (6, False), (10, False), (5, True), (7, True)]:
    for items, raters, missing in [(30, 3, 0.0), (80, 4, 0.25), (40, 2, 0.1)]:
        skill = [0.9, 0.6, 0.3, 0.8][:raters]
        line(made_up(items, raters, labels, skill, missing), labels, ordinal)
