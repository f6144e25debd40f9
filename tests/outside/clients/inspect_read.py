"""Reads logs of `rolecall export --format inspect` with Inspect's own package, and compares them with the run.

    inspect_read.py RUN LOGS
"""

import json
import math
import sys
from pathlib import Path

from inspect_ai.analysis import samples_df
from inspect_ai.log import read_eval_log, read_eval_log_sample, read_eval_log_sample_summaries

run, logs = Path(sys.argv[1]), sorted(Path(sys.argv[2]).iterdir())
results = [json.loads(line) for line in open(run / "results.jsonl")]
events = {}
for line in open(run / "events.jsonl"):
    event = json.loads(line)
    events.setdefault(event["episode"], []).append(event["message"])
assert logs, "no logs"


def number(measure):
    """A measurement as rolecall writes it, as a number."""
    if isinstance(measure, dict):
        top = measure.get("hits", measure.get("sum"))
        return top / measure["n"] if measure["n"] else None
    return None if measure is None else float(measure)


def close(one, other):
    return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-9)


seen = set()
for path in logs:
    path = str(path)
    log = read_eval_log(path)
    head = read_eval_log(path, header_only=True)
    assert head.samples is None and head.eval == log.eval and head.results == log.results, path
    assert log.version == 2 and log.status == "success", (log.version, log.status)
    cell = log.eval.task_args["cell"]
    own = {r["episode"]: r for r in results if r["episode"].split(":")[0] == cell}
    counted = [r for r in own.values() if r["ending"]["kind"] not in ("broken", "cancelled")]
    assert log.results.total_samples == len(own) and log.results.completed_samples == len(counted)
    for score in log.results.scores:
        values = [number(r["measures"].get(score.name)) for r in counted]
        values = [value for value in values if value is not None]
        mean = score.metrics["accuracy" if score.name == "success" else "mean"].value
        assert close(mean, sum(values) / len(values)), (score.name, mean)
        assert score.scored_samples == len(values)
    summaries = read_eval_log_sample_summaries(path)
    frame = samples_df(path)
    assert len(summaries) == len(log.samples) == len(frame) == len(own)
    tokens = {}
    by_uuid = {summary.uuid: summary for summary in summaries}
    assert set(frame["uuid" if "uuid" in frame else "sample_id"]) == set(by_uuid)
    for sample in log.samples:
        summary = by_uuid[sample.uuid]
        episode = sample.metadata["rolecall_episode"]
        result, messages = own.pop(episode), events[episode]
        assert (summary.id, summary.epoch) == (sample.id, sample.epoch) and summary.completed
        one = read_eval_log_sample(path, id=sample.id, epoch=sample.epoch)
        assert one.uuid == sample.uuid and len(one.messages) == len(sample.messages)
        assert summary.message_count == len(sample.messages)
        turns = [e for e in sample.events if e.event == "model"]
        calls = [m["model_called"] for m in messages if "model_called" in m]
        asked = [e for e in turns if e.model != "rolecall/rules"]
        assert [e.output.completion for e in asked] == [c["reply"]["choices"][0]["text"] for c in calls]
        assert all(e.input for e in asked), episode
        moves = sum("moved" in m for m in messages)
        assert calls or len(turns) == moves, (episode, len(turns), moves)
        tools = [e.result for e in sample.events if e.event == "tool"]
        acted = False
        shown = []
        for message in messages:
            acted = acted or "perform" in message
            if "observed" in message and acted:
                shown.append(message["observed"]["text"])
                acted = False
        assert tools == shown, episode
        questions = [e for e in sample.events if e.event == "info" and e.data.get("kind") == "question"]
        assert len(questions) == result["counts"]["questions"]
        solved = "C" if result["success"] else "I"
        assert sample.error is not None or sample.scores["success"].value == solved
        spans = [e for e in sample.events if e.event.startswith("span_")]
        assert len(spans) >= 4 and spans[0].type == "solvers" and spans[1].type == "solver"
        assert len({e.uuid for e in sample.events}) == len(sample.events)
        assert len({m.id for m in sample.messages}) == len(sample.messages)
        for model, usage in sample.model_usage.items():
            tokens[model] = tokens.get(model, 0) + usage.total_tokens
    assert not own, f"not exported: {list(own)[:3]}"
    assert tokens == {model: usage.total_tokens for model, usage in log.stats.model_usage.items()}
    seen.add(cell)
print(len(logs), "logs of", len(seen), "cells")
