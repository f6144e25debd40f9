#!/usr/bin/env python3
"""Serves a GGUF file with the HTTP server of llama.cpp, which the wheel `xllamacpp` brings along.

    serve.py MODEL.gguf PORT [KEY]

Listens on this machine only; port 0 takes a free one. Prints `listening ADDRESS` when it answers, and
serves until it is killed or its standard input closes, so that it ends with whoever started it. With a
key, requests without it are refused.
"""
import sys

import xllamacpp

# A prompt with two exemplars has some 6,000 tokens of the tiny model; each slot has a fourth of these.
CONTEXT = 65536
SLOTS = 4


def settings(model, port, key):
    """What the server is started with."""
    chosen = xllamacpp.CommonParams()
    chosen.model.path = model
    chosen.port = port
    chosen.n_ctx = CONTEXT
    chosen.n_parallel = SLOTS
    chosen.cpuparams.n_threads = 1
    chosen.n_gpu_layers = 0
    chosen.cache_ram_mib = 64
    chosen.sampling.seed = 1
    chosen.use_jinja = True
    chosen.warmup = False
    chosen.ui = False
    if key:
        chosen.api_keys = [key]
    return chosen


def main():
    model, port, *key = sys.argv[1:]
    server = xllamacpp.Server(settings(model, int(port), key[0] if key else None))
    print("listening", server.listening_address, flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main()
