"""Loads the folders that `rolecall export` wrote, as trainers do, and compares them with their manifests."""

import glob
import json
import os
import sys
import tempfile

os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["HF_DATASETS_CACHE"] = tempfile.mkdtemp()

from datasets import load_dataset  # noqa: E402


def rows_of(folder):
    """The rows of each split by datasets."""
    manifest = json.load(open(os.path.join(folder, "MANIFEST.json")))
    files = {split: sorted(glob.glob(f"{folder}/data/{split}-*.jsonl")) for split in manifest["rows"]}
    loaded = load_dataset("json", data_files=files)
    assert {split: len(loaded[split]) for split in loaded} == manifest["rows"], folder
    return manifest["format"], loaded


def check(style, row):
    """What the trainer wants of a row, as it comes out of datasets."""
    if "chosen" in row:
        assert row["chosen"] != row["rejected"], row
    elif style == "trl" and "prompt" in row:
        if isinstance(row["prompt"], str):
            assert isinstance(row["completion"], str)
            return
        assert row["prompt"][-1]["role"] in ("user", "tool"), row
        assert row["completion"][0]["role"] == "assistant", row
    elif style == "axolotl":
        marks = [message.get("train") for message in row["messages"] if message["role"] == "assistant"]
        assert True in marks and None not in marks, row
    elif style == "openai" and "messages" in row:
        weights = [message.get("weight") for message in row["messages"] if message["role"] == "assistant"]
        assert 1 in weights and None not in weights, row


def check_traces(folder):
    """Traces by the model of verifiers."""
    from verifiers.v1 import WireTrace

    for path in glob.glob(f"{folder}/data/*.jsonl"):
        for line in open(path):
            trace = WireTrace.model_validate_json(line)
            [branch] = trace.branches
            assert len(branch.nodes) == len(json.loads(line)["nodes"])
            assert len(branch.token_ids) == len(branch.sampled_mask)


for folder in sys.argv[1:]:
    style, loaded = rows_of(folder)
    for split in loaded.values():
        for row in split:
            check(style, row)
    if style == "verifiers":
        check_traces(folder)
    print(style, {split: len(rows) for split, rows in loaded.items()})
