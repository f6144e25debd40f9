"""Gymnasium plays an environment of `rolecall serve env`."""

import sys

from rolecall import GymEnv

env = GymEnv(sys.argv[1], task=1)
shown, info = env.reset(seed=3)
assert env.observation_space.contains(shown) and info["steps_left"] == 50
assert (shown, info["open"]) == (lambda again: (again[0], again[1]["open"]))(env.reset(seed=3))
done = False
while not done:
    shown, reward, done, cut, info = env.step("look")
assert reward == 0.0 and not cut and info["metadata"]["ending"] == "out of steps", info
env.close()
