"""Plays a game of `rolecall serve env` through the OpenEnv task set of verifiers, with a plan in the model's place."""

import asyncio
import json
import sys
from contextlib import asynccontextmanager
from types import SimpleNamespace

from verifiers.v1.tasksets.openenv.taskset import OpenEnvConfig, OpenEnvEnv, OpenEnvTaskset

base, plan = sys.argv[1], json.loads(sys.argv[2])


class Trace:
    def record_reward(self, name, value):
        print("reward", value)

    def stop(self, reason):
        raise SystemExit(reason)


class Player:
    """Answers as a model would: some moves as text, some as JSON."""

    def __init__(self):
        self.replies = iter(["speak: Where is it?", *plan])
        self.turns = 0

    @asynccontextmanager
    async def interaction(self, task):
        yield SimpleNamespace(turn=self.turn, trace=Trace())

    async def turn(self, payload):
        assert json.loads(payload)["observation"]["text"]
        reply = next(self.replies)
        self.turns += 1
        if self.turns % 2:
            reply = json.dumps({"text": reply})
        return SimpleNamespace(terminated=False, last_reply=reply)


config = OpenEnvConfig(base_url=base, resets=[{"seed": 7, "task": 3}])
[task] = OpenEnvTaskset(config).load()
asyncio.run(OpenEnvEnv.run(None, task, SimpleNamespace(player=Player())))
