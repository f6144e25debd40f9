"""rolecall for Python: roles, users and environments of your own in its runs, a client of its environments,
and a reader of its logs. See docs/python.md of rolecall."""

from __future__ import annotations

from typing import Any

from .env import Env, Step
from .log import read, results
from .roles import (Cancelled, ContextFull, Environment, Failed, Fields, Refused, Reply, Role, Turn, Unavailable,
                    Unusable, User, act, call, finish, judge, learn, observation, plan, score, speak, task, think,
                    utterance)
from .serving import serve

__version__ = "0.3.0"

__all__ = [
    "Cancelled", "ContextFull", "Env", "Environment", "Failed", "Fields", "Refused", "Reply", "Role", "Step", "Turn",
    "Unavailable", "Unusable", "User", "act", "call", "finish", "judge", "learn", "observation", "plan", "read", "results", "score", "serve",
    "speak", "task", "think", "utterance",
]


def __getattr__(name: str) -> Any:
    if name == "GymEnv":  # Only there if gymnasium is.
        from .gym import GymEnv
        return GymEnv
    raise AttributeError(f"module 'rolecall' has no attribute {name!r}")
