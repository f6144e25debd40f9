"""A child whose behaviour the first event of a turn chooses, and a user and a world in the same file."""
import sys
import time

from rolecall import (Environment, Role, Unavailable, Unusable, User, act, observation, score, serve, task, think,
                      utterance)


class Odd(Role):
    version = "3"
    external = True

    def __init__(self):
        self.greeting = self.parameters.get("greeting", "hello")

    def take_turn(self, turn):
        what = turn.last("observed").text
        if what == "print":
            print("not for rolecall")
            sys.stdout.write("neither this\n")
            return act(self.greeting)
        if what == "wait":
            while not turn.cancelled():
                time.sleep(0.01)
            turn.complete("m", user="too late")
        if what == "hang":
            time.sleep(3600)
        if what == "exit":
            sys.exit(3)
        if what == "unusable":
            raise Unusable("I wrote nonsense")
        if what == "unavailable":
            raise Unavailable("the shop is shut")
        if what == "break":
            return [][0]
        if what == "nothing":
            return None
        if what == "no json":
            return {"kind": "finish", "answer": {1, 2}}
        if what == "surrogate":
            return act("\ud800")
        if what == "ask":
            reply = turn.complete("m", "why?", max_tokens=5, temperature=None)
            return [think(reply.text), act(str(reply.usage.prompt))]
        if what == "count":
            turn.state["n"] = turn.state.get("n", 0) + 1
            return act(f"{turn.state['n']} of {len(turn.events)}, {turn.random().random() == turn.random().random()}")
        return act(what)


class Guest(User):
    def reply(self, turn):
        if turn.question.text == "bye":
            return utterance("bye", leaving=True, satisfied=True)
        return f"you said {turn.question.text}"


class Boxes(Environment):
    tools = [{"name": "open", "description": "Opens a box.", "parameters": {"type": "object"}}]

    def tasks(self):
        return ["find it", task("second", "find it too", kind="hard", entrusted=[("environment", "box", 2)])]

    def begin(self, task, begun):
        self.box, self.found = task.entrusted.box or 1, False
        return f"{task.text}: {begun.seed}"

    def perform(self, action):
        if action.call:
            return observation(action.call.tool, data=action.call.arguments.json())
        self.found = action.text == f"open {self.box}"
        return observation("found", done=True) if self.found else observation("nothing", invalid=True)

    def assess(self):
        return score(self.found, detail={"box": self.box})


if __name__ == "__main__":
    serve(Odd, Guest, Boxes)
