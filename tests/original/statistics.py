"""Figures of made-up episodes, computed with SciPy and statsmodels.

tests/commands/report_statistics.rs compares its own with what this printed:

    pip install numpy==2.4.6 scipy==1.17.1 statsmodels==0.15.0
    python tests/original/statistics.py > tests/original/statistics.jsonl

A line is a run of one cell, or two cells over the same tasks; an episode is written as [task, repeat,
solved, actions]. Nothing here shares code with rolecall.
"""

import itertools
import json
import math

import numpy as np
import statsmodels.api as sm
from scipy import special, stats
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint

random = np.random.default_rng(20)
Z = stats.norm.ppf(0.975)


def by_task(episodes, value):
    tasks = sorted({task for task, *_ in episodes})
    values = [[value(e) for e in episodes if e[0] == task] for task in tasks]
    sums = np.array([sum(own) for own in values], float)
    return sums, np.array([len(own) for own in values], float)


def bca(sums, numbers):
    """The bootstrap interval over tasks, with Hesterberg's levels, and its standard error."""
    tasks = len(sums)
    z = math.sqrt(tasks / (tasks - 1)) * stats.t.ppf(0.975, tasks - 1)
    found = stats.bootstrap(
        (sums, numbers),
        lambda s, n, axis: s.sum(axis) / n.sum(axis),
        paired=True,
        vectorized=True,
        confidence_level=1 - 2 * stats.norm.cdf(-z),
        n_resamples=400_000,
        batch=20_000,
        method="BCa",
        rng=random,
    )
    low, high = found.confidence_interval
    return {"low": low, "high": high, "error": found.standard_error}


def alike(sums, numbers, spread, most):
    """As many independent episodes as say the same, by the variance with clustered errors."""
    tasks = len(sums)
    total, n = sums.sum(), numbers.sum()
    # A regression on a constant, an observation a task weighted by its episodes.
    fit = sm.WLS(sums / numbers, np.ones(tasks), weights=numbers).fit(cov_type="HC0")
    variance = fit.cov_params()[0, 0] * tasks / (tasks - 1)
    assert abs(fit.params[0] - total / n) < 1e-12
    if spread < 1e-12 or variance < 1e-15:
        return float(tasks)
    rest = (sums - total / n * numbers) ** 2
    carrying = min(max(int(rest.sum() ** 2 / (rest**2).sum()), 1), tasks - 1)
    few, fewer = (spread / variance * (Z / stats.t.ppf(0.975, df)) ** 2 for df in (tasks - 1, carrying))
    return min(max(fewer, min(few, tasks)), most)


def wilson(rate, n):
    low, high = proportion_confint(rate * n, n, method="wilson")
    return {"rate": rate, "low": max(low, 0.0), "high": min(high, 1.0)}


def single(episodes):
    steps = by_task(episodes, lambda e: 1 + e[3])
    solved, numbers = by_task(episodes, lambda e: e[2])
    rate = solved.sum() / numbers.sum()
    once = numbers.max() < 2
    n = numbers.sum() if once else alike(solved, numbers, rate * (1 - rate), numbers.sum())
    tries = []
    for k in range(1, int(numbers.max()) + 1 if not once else 0):
        some = numbers >= k
        n_k, c_k = numbers[some], solved[some]
        ways = special.comb(n_k, k)
        shares = {
            "any": 1 - special.comb(n_k - c_k, k) / ways,
            "every": special.comb(c_k, k) / ways,
        }
        tries.append({"k": k, "tasks": int(some.sum())})
        for name, share in shares.items():
            mean = share.mean()
            same = alike(share, np.ones(len(share)), mean * (1 - mean), n_k.sum() / k)
            tries[-1][name] = wilson(mean, same)
    return {
        "kind": "single",
        "episodes": episodes,
        "steps": {"mean": steps[0].sum() / steps[1].sum(), **bca(*steps)},
        "success": wilson(rate, n),
        "tries": tries,
    }


def newcombe(both, first, second, neither, n):
    """Method 10 of Newcombe 1998 for shares, with n pairs."""
    a, b, c, d = (x * n for x in (both, first, second, neither))
    p1, p2 = both + first, both + second
    one, two = wilson(p1, n), wilson(p2, n)
    margins = (a + b) * (c + d) * (a + c) * (b + d)
    product = a * d - b * c
    if product > 0:
        product = max(product - n / 2, 0)
    phi = product / math.sqrt(margins) if margins > 0 else 0
    root = lambda x, y: math.sqrt(max(x * x - 2 * phi * x * y + y * y, 0))
    difference = p2 - p1
    return {
        "difference": difference,
        "low": difference - root(p2 - two["low"], one["high"] - p1),
        "high": difference + root(two["high"] - p2, p1 - one["low"]),
    }


def signs(differences):
    """The exact test by all choices of signs, and SciPy's own where it is exact too."""
    nonzero = [d for d in differences if d != 0]
    observed = abs(sum(nonzero))
    choices = itertools.product([1, -1], repeat=len(nonzero))
    extreme = sum(abs(np.dot(choice, nonzero)) >= observed for choice in choices)
    p = extreme / 2 ** len(nonzero)
    if nonzero and len(nonzero) <= 12:
        again = stats.permutation_test(
            (np.array(nonzero),), np.sum, permutation_type="samples", n_resamples=np.inf
        )
        assert abs(again.pvalue - p) < 1e-12, (again.pvalue, p)
    return p


def paired(first, second):
    partner = {(task, repeat): (solved, actions) for task, repeat, solved, actions in second}
    pairs = [(e, partner[e[0], e[1]]) for e in first if (e[0], e[1]) in partner]
    table = np.zeros((2, 2))
    for one, (solved, _) in pairs:
        table[1 - one[2], 1 - solved] += 1
    n = table.sum()
    both, only_first, only_second, neither = (table / n).ravel()
    gains = [(one[0], 0, other[0] - one[2], other[1] - one[3]) for one, other in pairs]
    gained, numbers = by_task(gains, lambda e: e[2])
    steps, _ = by_task(gains, lambda e: e[3])
    difference = gained.sum() / n
    spread = only_first + only_second - difference**2
    once = numbers.max() < 2
    same = n if once else alike(gained, numbers, spread, n)
    p = mcnemar(table, exact=True).pvalue if once else signs([int(d) for d in gained])
    discordant, wanted = max(only_first + only_second, 0.05), 0.05
    root = Z * math.sqrt(discordant) + stats.norm.ppf(0.8) * math.sqrt(discordant - wanted**2)
    return {
        "kind": "paired",
        "first": first,
        "second": second,
        "pairs": int(n),
        "success": {**newcombe(both, only_first, only_second, neither, same), "p": p},
        "steps": {"mean": steps.sum() / n, **bca(steps, numbers)},
        "needed": math.ceil((root / wanted) ** 2 * n / same),
    }


def episodes(tasks, repeats, mean, alike=2.0, lost=0.0):
    """Made-up episodes: tasks differ in how hard they are, and some episodes are missing."""
    made = []
    for task in range(tasks):
        chance = random.beta(mean * alike, (1 - mean) * alike)
        length = random.lognormal(2, 0.6)
        for repeat in range(repeats):
            if random.random() >= lost:
                solved = int(random.random() < chance)
                made.append([task, repeat, solved, 2 + int(random.poisson(length))])
    return made


lines = [
    single(episodes(12, 1, 0.6)),
    single(episodes(60, 1, 0.9)),
    single(episodes(8, 3, 0.5)),
    single(episodes(40, 4, 0.7)),
    single(episodes(40, 5, 0.8, lost=0.2)),
    single(episodes(30, 4, 0.97, alike=50.0)),
    paired(episodes(40, 1, 0.5), episodes(40, 1, 0.8)),
    paired(episodes(60, 1, 0.9), episodes(60, 1, 0.9, lost=0.1)),
    paired(episodes(15, 4, 0.5), episodes(15, 4, 0.7)),
    paired(episodes(14, 3, 0.6, lost=0.1), episodes(14, 3, 0.4, lost=0.1)),
]
for line in lines:
    print(json.dumps(line, separators=(",", ":")))
p = [0.01, 0.04, 0.03, 0.005, 0.2, 0.2]
adjusted = multipletests(p, method="holm")[1]
print(json.dumps({"kind": "holm", "p": p, "adjusted": list(adjusted)}))
