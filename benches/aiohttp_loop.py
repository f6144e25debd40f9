"""Calls of a model in a lean loop over asyncio and aiohttp: FILE BASE_URL EPISODES CALLS."""

import asyncio
import json
import sys

import aiohttp


async def main(file, base_url, episodes, calls):
    base = base_url.removesuffix("/v1")
    with open(file, "rb") as lines:
        lines = lines.read().splitlines()
    routes = [f"{base}/{line.decode().split('/', 2)[2]}" for line in lines[::2]]
    requests = list(zip(routes, lines[1::2]))
    headers = {"content-type": "application/json"}
    connector = aiohttp.TCPConnector(limit=0)
    async with aiohttp.ClientSession(connector=connector, headers=headers) as session:

        async def episode(number):
            for call in range(calls):
                url, body = requests[(number * calls + call) % len(requests)]
                async with session.post(url, data=body) as response:
                    reply = json.loads(await response.read())
                assert isinstance(reply["choices"][0]["message"]["content"], str)

        await asyncio.gather(*map(episode, range(episodes)))


file, base_url, episodes, calls = sys.argv[1:]
asyncio.run(main(file, base_url, int(episodes), int(calls)))
