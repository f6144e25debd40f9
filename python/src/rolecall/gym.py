"""An environment of `rolecall serve env` for Gymnasium."""

from __future__ import annotations

from typing import Any, Dict, Optional, Tuple

import gymnasium

from .env import Env, Step

__all__ = ["GymEnv"]


class _Text(gymnasium.spaces.Text):
    """Any text: Gymnasium's own knows letters and digits alone."""

    def contains(self, x: Any) -> bool:
        return isinstance(x, str) and len(x) <= self.max_length


class GymEnv(gymnasium.Env[str, str]):
    """Observations and actions are texts; `info` has the rest of what the seat may know."""

    def __init__(self, url: str, *, token: Optional[str] = None, longest: int = 1 << 16, **options: Any) -> None:
        self.observation_space = _Text(longest, min_length=0)
        self.action_space = _Text(longest, min_length=0)
        self._env, self._options = Env(url, token=token), options

    def reset(self, *, seed: Optional[int] = None,
              options: Optional[Dict[str, Any]] = None) -> Tuple[str, Dict[str, Any]]:
        super().reset(seed=seed)
        given = {**self._options, **(options or {})}
        if seed is not None:
            given["seed"] = seed
        step = self._env.reset(**given)
        return step.text, _info(step)

    def step(self, action: str) -> Tuple[str, float, bool, bool, Dict[str, Any]]:
        step = self._env.step(action)
        return step.text, step.reward or 0.0, step.done, False, _info(step)

    def close(self) -> None:
        self._env.close()


def _info(step: Step) -> Dict[str, Any]:
    return {name: value for name, value in step.observation.json().items() if name != "text"}
