"""A role or a user by `rolecall/1`, without any package. `parameters` say how it misbehaves."""

import json, os, random, sys, threading, time

OUT, LOCK, VIEWS, CANCELLED, WAITING = sys.stdout.buffer, threading.Lock(), {}, set(), {}
SETUP = {}


def write(message):
    with LOCK:
        OUT.write(json.dumps(message).encode() + b"\n")
        OUT.flush()


def error(code, text, **data):
    return {"error": {"code": code, "message": text, "data": data}}


def answer(params):
    """The moves, or the words of a user: a function of the view and the seed."""
    key = (params["episode"], params["seat"])
    view = VIEWS.setdefault(key, [])
    since = params["view"]["since"]
    if since > len(view):
        return error(-32010, "lost", need="view")
    view[since:] = params["view"]["events"]
    if SETUP["parameters"].get("forgets") and random.random() < 0.3:
        del VIEWS[key]
    dice = random.Random(f"{params['seed']} {len(view)} {params['digest']}")
    if SETUP["kind"] == "user":
        return {"result": {"text": f"You said {params['question']['text']}, I say {dice.randrange(100)}."}}
    brief = params["brief"]
    if "plan" in brief["open"] and SETUP["seat"] == "planner":
        return {"result": {"moves": [{"kind": "plan", "steps": [{"action": {"text": "look"}}, {"action": {"text": "inventory"}}]}]}}
    if "speak" in brief["open"] and dice.random() < 0.2:
        return {"result": {"moves": [{"kind": "speak", "text": f"Where? {dice.randrange(100)}"}]}}
    things = ["look", "inventory", "go to cabinet 1", "go to fridge 1", "open cabinet 1"]
    return {"result": {"moves": [{"kind": "act", "action": {"text": dice.choice(things)}}]}}


def ask(call, **request):
    number = f"c{call}-{threading.get_ident()}-{random.random()}"
    box = WAITING[number] = threading.Semaphore(0), []
    write({"jsonrpc": "2.0", "id": number, "method": "complete", "params": {"call": call, **request}})
    box[0].acquire()
    return box[1][0]


def misbehave(number, mode):
    """Whether the answer is taken care of."""
    line = {"jsonrpc": "2.0", "id": number, "result": {"moves": [{"kind": "act", "action": {"text": "look"}}]}}
    if mode == "silent":
        return True
    if mode == "twice":
        write(line), write(line)
    elif mode == "other":
        write({**line, "id": number + 1000})
    elif mode == "text":
        write({**line, "id": str(number)})
    elif mode == "prints":
        OUT.write(b"Loading weights \x1b[31m...\n"), OUT.flush()
    elif mode == "flood":
        for index in range(1000):
            write({"jsonrpc": "2.0", "id": f"f{index}", "method": "complete", "params": {"call": number, "model": "m", "prompt": ""}})
    elif mode == "large":
        try:
            for _ in range(100):
                OUT.write(b"x" * (1 << 20)), OUT.flush()
        except OSError:
            pass
    elif mode == "deep":
        write({**line, "result": {"moves": [{"kind": "think", "text": "x"}], "repaired": eval("[" * 90 + "]" * 90)}})
    elif mode == "wrong":
        write({**line, "result": {"moves": "none"}})
    elif mode == "exit":
        print("no weights", file=sys.stderr, flush=True)
        os._exit(3)
    elif mode in ("unusable", "unavailable", "failed"):
        write({"jsonrpc": "2.0", "id": number, **error(-32000, "I will not", kind=mode)})
    else:
        return False
    return True


def die(lives):
    """Ends at a random moment, perhaps in the middle of a line."""
    time.sleep(random.uniform(0, 2 * lives))
    if random.random() < 0.3:
        OUT.write(b'{"jsonrpc":"2.0","id":'), OUT.flush()
    os.kill(os.getpid(), 9)


def work(message):
    number, method, params = message["id"], message["method"], message.get("params") or {}
    options = SETUP.get("parameters") or {}
    if method == "initialize":
        SETUP.update(params)
        options = params["parameters"]
        if options.get("mode") == "banner":
            print("Welcome!", flush=True)
        kind = {"deterministic": not options.get("dice"), "external": bool(options.get("external"))}
        if options.get("lives"):
            threading.Thread(target=die, args=(options["lives"],), daemon=True).start()
        file = os.path.join(os.path.dirname(os.path.abspath(__file__)), "digest.txt")
        digest = open(file).read() if os.path.exists(file) else "d1"
        own = {"protocol": options.get("protocol", 1), "name": "player", "version": "1", "digest": digest}
        return write({"jsonrpc": "2.0", "id": number, "result": {**own, **kind}})
    if method != ("reply" if SETUP["kind"] == "user" else "take_turn"):
        return write({"jsonrpc": "2.0", "id": number, **error(-32601, f"no method {method}")})
    if "view" not in params:
        return write({"jsonrpc": "2.0", "id": number, **error(-32602, "no view")})
    if options.get("record"):
        with LOCK, open(options["record"], "a") as file:
            file.write(json.dumps(params) + "\n")
    if misbehave(number, options.get("mode")):
        return None
    given = answer(params)
    if options.get("model") and "result" in given:
        reply = ask(number, model=options["model"], messages=[{"role": "user", "content": f"seed {params['seed']}"}], max_tokens=9)
        said = reply["result"]["choices"][0]["text"] if "result" in reply else reply["error"]["message"]
        given = {"result": {"moves": [{"kind": "act", "action": {"text": said[:200]}}]}}
    time.sleep(options.get("slow", 0))
    write({"jsonrpc": "2.0", "id": number, **given})


def main():
    for line in sys.stdin.buffer:
        message = json.loads(line)
        if "method" not in message:
            ready, box = WAITING.pop(message["id"])
            box.append(message), ready.release()
        elif "id" not in message:
            if message["method"] == "cancel" and (SETUP.get("parameters") or {}).get("mode") != "silent":
                pass
        elif (SETUP.get("parameters") or {}).get("model"):
            threading.Thread(target=work, args=(message,), daemon=True).start()
        else:
            work(message)


main()
