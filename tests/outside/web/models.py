"""A model server that answers when a case lets it."""

import contextlib
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Model:
    """Answers calls by a function of the request; a gate that is shut keeps them waiting.

    Ends with its `with`.
    """

    def __init__(self, says, gated=False):
        self.says = says
        self.asked = 0
        self.permits = threading.Semaphore(0)
        self.gated = gated
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["content-length"])))
                server.asked += 1
                if server.gated:
                    server.permits.acquire()
                answer = json.dumps({
                    "id": "x",
                    "object": "chat.completion",
                    "model": "scripted",
                    "choices": [{
                        "index": 0,
                        "message": {"role": "assistant", "content": server.says(body)},
                        "finish_reason": "stop",
                    }],
                    "usage": {"prompt_tokens": 500, "completion_tokens": 14, "total_tokens": 514},
                }).encode()
                self.send_response(200)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(answer)))
                self.end_headers()
                with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                    self.wfile.write(answer)

            def log_message(self, *_):
                pass

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.http.daemon_threads = True
        threading.Thread(target=self.http.serve_forever, daemon=True).start()

    def settings(self, steps=6, games=1):
        """What makes configs/household/respact-model.toml ask this server."""
        port = self.http.server_address[1]
        sets = [
            f"models.agent.base_url='http://127.0.0.1:{port}/v1'",
            "models.agent.stream=false",
            "roles.executor.moves='text'",
            "cache.mode='off'",
            f"limits.steps={steps}",
            f"tasks.limit={games}",
        ]
        return [word for one in sets for word in ("--set", one)]

    def let(self, calls=1):
        """Lets so many calls have their answers."""
        self.permits.release(calls)

    def open(self):
        """Answers everything from now on."""
        self.gated = False
        self.permits.release(10_000)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.open()
        self.http.shutdown()
        self.http.server_close()
