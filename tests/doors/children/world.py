"""An environment by `rolecall/1`, without any package: a number is to be counted up to a target."""

import json, os, random, sys, threading, time

WORLDS, SETUP, LOCK = {}, {}, threading.Lock()


def write(message):
    with LOCK:
        sys.stdout.write(json.dumps(message) + "\n"), sys.stdout.flush()


def die(lives):
    time.sleep(random.uniform(0, 2 * lives))
    os.kill(os.getpid(), 9)


def answer(method, params):
    if method == "initialize":
        SETUP.update(params["parameters"])
        if SETUP.get("lives"):
            threading.Thread(target=die, args=(SETUP["lives"],), daemon=True).start()
        return {"protocol": 1, "name": "counter", "digest": "w1", "external": bool(SETUP.get("external"))}
    if method == "tasks":
        return {"total": 6, "digest": "t1", "kinds": ["count"], "hears": True}
    if method == "open":
        target = 2 + params["index"] % 3
        public = {"id": f"count-{params['index']}", "kind": "count", "text": f"Count to {target}."}
        secret = {"audience": "environment", "label": "target", "value": target}
        other = {"audience": "user", "label": "hint", "value": f"secret hint {target}"}
        return {"public": public, "entrusted": [secret, other]}
    world = params["world"]
    if method == "begin":
        parts = params["task"]["entrusted"]
        assert [part["audience"] for part in parts] == ["environment"]
        WORLDS[world] = {"count": 0, "target": parts[0]["value"], "dice": random.Random(params["begun"]["seed"])}
        return {"text": f"You begin at 0, {WORLDS[world]['dice'].random()}."}
    own = WORLDS[world]
    time.sleep(SETUP.get("slow", 0))
    if method == "perform":
        if params["action"]["text"] != "count":
            return {"text": "Nothing happens.", "invalid": True}
        own["count"] += 1
        text = f"You are at {own['count']}, {own['dice'].random()}."
        return {"text": text, "done": own["count"] >= own["target"]}
    if method == "hear":
        return {"text": f"Somebody said {params['reply']['text']}"}
    if method == "assess":
        success = own["count"] >= own["target"]
        return {"success": success, "reward": float(success)}


for line in sys.stdin:
    message = json.loads(line)
    if message["method"] == "drop":
        WORLDS.pop(message["params"]["world"], None)
    elif "id" in message:
        method, params = message["method"], message["params"]
        head = {"jsonrpc": "2.0", "id": message["id"]}
        if method not in ("initialize", "tasks", "open", "begin", "perform", "hear", "assess"):
            write({**head, "error": {"code": -32601, "message": f"no method {method}"}})
        elif method == "open" and params["index"] >= 6 or method != "begin" and params.get("world", "") not in {"", *WORLDS}:
            write({**head, "error": {"code": -32602, "message": "there is none"}})
        else:
            write({**head, "result": answer(method, params)})
