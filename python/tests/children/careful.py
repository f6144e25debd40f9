from rolecall import Role, serve, think, act, speak

class CarefulExecutor(Role):
    "Asks once before it acts."
    def take_turn(self, turn):
        if turn.number == 0 and "speak" in turn.brief.open:
            return speak("Where should I look first?")
        hint = turn.last("replied")                      # newest event of that kind that I may see
        if hint and "act" in turn.brief.open:
            place = hint.text.split("the ")[-1].rstrip(".")
            return act(f"go to {place}")
        reply = turn.complete("local", system="You act in a household.", user=turn.text())
        return act(reply.text.strip().splitlines()[0])

if __name__ == "__main__":
    serve(CarefulExecutor)
