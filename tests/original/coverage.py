"""How often intervals hold the true value: the figures of docs/reports.md ("Intervals").

    pip install numpy==2.4.6 scipy==1.17.1
    python tests/original/coverage.py

Takes some minutes. Nothing here shares code with rolecall.
"""

import math

import numpy as np
from scipy import special, stats

random = np.random.default_rng(5)
Z = stats.norm.ppf(0.975)
RUNS = 5_000
DRAWS = 1_000


def bootstrap(sums, numbers, z):
    """BCa and plain percentiles of a mean over tasks, at the levels of z."""
    tasks = len(sums)
    drawn = random.integers(0, tasks, (DRAWS, tasks))
    means = np.sort(sums[drawn].sum(1) / numbers[drawn].sum(1))
    mean = sums.sum() / numbers.sum()
    same = abs(means - mean) <= 1e-12
    share = ((means < mean) & ~same).mean() + same.mean() / 2
    bias = stats.norm.ppf(np.clip(share, 1 / (DRAWS + 1), DRAWS / (DRAWS + 1)))
    without = (sums.sum() - sums) / (numbers.sum() - numbers)
    away = without.mean() - without
    squares = (away**2).sum()
    acceleration = (away**3).sum() / (6 * squares**1.5) if squares > 0 else 0
    ends = []
    for side in (-z, z):
        scale = 1 - acceleration * (bias + side)
        level = stats.norm.cdf(bias + (bias + side) / scale) if scale > 0 else float(side > 0)
        ends.append(np.quantile(means, level))
    return ends, np.quantile(means, stats.norm.cdf([-z, z]))


def widened(tasks):
    return math.sqrt(tasks / (tasks - 1)) * stats.t.ppf(0.975, tasks - 1)


def wilson(rate, n):
    square = Z * Z
    half = Z * math.sqrt(max(rate * (1 - rate) / n + square / 4 / n / n, 0))
    centre, scale = rate + square / 2 / n, 1 + square / n
    return (centre - half) / scale, (centre + half) / scale


def by_task(sums, numbers, most):
    """Wilson's interval of the effective number of episodes."""
    tasks, rate = len(sums), sums.sum() / numbers.sum()
    variance = ((sums - rate * numbers) ** 2).sum() / numbers.sum() ** 2 * tasks / (tasks - 1)
    n = tasks
    if variance > 0 and 0 < rate < 1:
        rest = (sums - rate * numbers) ** 2
        carrying = min(max(int(rest.sum() ** 2 / (rest**2).sum()), 1), tasks - 1)
        of = lambda df: rate * (1 - rate) / variance * (Z / stats.t.ppf(0.975, df)) ** 2
        n = min(max(of(carrying), min(of(tasks - 1), tasks)), most)
    return wilson(rate, n)


def count(title, truth, intervals):
    """Prints how many of the intervals of each run hold the truth."""
    held = {}
    for _ in range(RUNS):
        for name, (low, high) in intervals().items():
            held.setdefault(name, []).append(low - 1e-12 <= truth <= high + 1e-12)
    print(title, {name: f"{np.mean(own):.3f}" for name, own in held.items()}, flush=True)


def steps(count):
    return np.minimum(50, 3 + np.floor(random.lognormal(2.2, 0.8, count)))


def means(tasks):
    values, ones = steps(tasks), np.ones(tasks)
    half = stats.t.ppf(0.975, tasks - 1) * values.std(ddof=1) / math.sqrt(tasks)
    return {
        "in use": bootstrap(values, ones, widened(tasks))[0],
        "percentiles": bootstrap(values, ones, Z)[1],
        "student": (values.mean() - half, values.mean() + half),
    }


def chances(tasks, mean, alike):
    if alike == 0:
        return np.full(tasks, mean)
    return random.beta(mean * (1 / alike - 1), (1 - mean) * (1 / alike - 1), tasks)


def rates(tasks, repeats, mean, alike):
    numbers = np.full(tasks, float(repeats))
    solved = random.binomial(repeats, chances(tasks, mean, alike)).astype(float)
    return {
        "in use": by_task(solved, numbers, numbers.sum()),
        "episodes": wilson(solved.sum() / numbers.sum(), numbers.sum()),
        "bca": bootstrap(solved, numbers, widened(tasks))[0],
    }


def tries(tasks, repeats, k, mean, alike):
    solved = random.binomial(repeats, chances(tasks, mean, alike))
    ways = special.comb(repeats, k)
    shares, ones = 1 - special.comb(repeats - solved, k) / ways, np.ones(tasks)
    return {
        "in use": by_task(shares, ones, tasks * repeats / k),
        "bca": bootstrap(shares, ones, widened(tasks))[0],
    }


truth = steps(4_000_000).mean()
for tasks in (5, 10, 20, 50, 134):
    count(f"mean of steps, {tasks} tasks", truth, lambda: means(tasks))
for case in [(20, 5, 0.5, 0.5), (134, 4, 0.9, 0.95), (134, 4, 0.9, 0.0)]:
    count(f"rate, tasks, repeats, mean, alike: {case}", case[2], lambda: rates(*case))
for case in [(134, 4, 4, 0.9, 0.3), (20, 5, 5, 0.9, 0.3)]:
    _, _, k, mean, alike = case
    # The moments of a beta distribution: chance that k tries in a row fail.
    solved, failed = mean * (1 / alike - 1), (1 - mean) * (1 / alike - 1)
    truth = 1 - math.prod((failed + i) / (solved + failed + i) for i in range(k))
    count(f"pass@k, tasks, repeats, k, mean, alike: {case}", truth, lambda: tries(*case))
