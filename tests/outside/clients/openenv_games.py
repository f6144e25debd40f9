"""Plays two games of `rolecall serve env` with OpenEnv's own client: one by a plan, one without."""

import json
import sys

from openenv import GenericEnvClient

base, plan = sys.argv[1], json.loads(sys.argv[2])
endings = []
with GenericEnvClient(base_url=base).sync() as env:
    result = env.reset(seed=7, episode_id="by a plan", task=3, cell="respact-helpful")
    assert result.reward is None and not result.done, result
    assert "mug" in result.observation["text"]
    total = 0.0
    for step in ["speak: Where is the mug?", *plan]:
        result = env.step({"text": step})
        total += result.reward
    assert (total, result.done) == (1.0, True), (total, result)
    state = env.state()
    assert state["episode_id"] == "by a plan" and state["step_count"] == len(plan) + 1, state
    endings.append(result.observation["metadata"]["ending"])
    try:
        env.step({"text": "look"})
        raise SystemExit("a step after the end was taken")
    except RuntimeError as error:
        assert "reset first" in str(error) and "SESSION_ERROR" in str(error), error

    result = env.reset(cell="react")
    while not result.done:
        result = env.step({"text": "look"})
        assert result.reward == 0.0
    endings.append(result.observation["metadata"]["ending"])
print(", ".join(endings))
