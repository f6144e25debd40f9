#!/usr/bin/env python3
"""Writes a language model of random weights that the llama.cpp server can serve: a GGUF file of
some 400 kB.

    make_model.py OUT.gguf

It knows nothing, but it is a real model: it has a vocabulary, a context and log-probabilities. The
same versions of `gguf`, `tokenizers` and `numpy` write the same bytes.
"""
import json
import sys

import gguf
import numpy
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

SEED = 11
VOCABULARY = 1024
CONTEXT = 32768
LAYERS, WIDTH, INNER = 2, 64, 128
HEADS, KEY_HEADS = 4, 2
HEAD = WIDTH // HEADS

START, TURN, END, PAD = "<|start|>", "<|turn|>", "<|end|>", "<|pad|>"
CONTROL = [START, TURN, END, PAD]

# ChatML in form: a turn is its speaker, a line break, the text and an end.
TEMPLATE = (
    "{%- for message in messages %}{{ '" + TURN + "' + message.role + '\\n' + message.content + '"
    + END + "\\n' }}{%- endfor %}{%- if add_generation_prompt %}{{ '" + TURN
    + "assistant\\n' }}{%- endif %}"
)


def sentences():
    """What the tokens are learned from, so that a prompt of the household is not too many of them."""
    places = ["cabinet", "drawer", "shelf", "countertop", "fridge", "microwave", "sinkbasin",
              "garbagecan", "diningtable", "sidetable", "bed", "desk", "sofa", "armchair", "dresser"]
    things = ["mug", "plate", "bowl", "knife", "apple", "tomato", "egg", "book", "pencil", "pillow",
              "vase", "candle", "cloth", "soapbar", "creditcard", "desklamp", "spraybottle"]
    for number, place in enumerate(places, 1):
        yield "You are in the middle of a room. Looking quickly around you, you see a "
        yield f"> go to {place} {number}\nYou arrive at {place} {number}. On the {place} {number}, you see "
        yield f"The {place} {number} is closed. > open {place} {number}\nYou open the {place} {number}."
        for other, thing in enumerate(things, 1):
            yield f"> take {thing} {other} from {place} {number}\nYou pick up the {thing} {other}."
            yield f"> move {thing} {other} to {place} {number}\nYour task is to: put a {thing} in {place}."
            yield f"> think: I have to find a {thing}. I would expect it at: {place} (1-{number}).\nOK."
            yield f"> speak: Where should I look for the {thing} first?\nHuman: Try the {place} {number}."
    yield "clean heat cool with the toilet; examine look inventory use close; Nothing happens. " * 4
    yield "You solve tasks in a household. Write exactly one line, in one of these forms:\n" * 4
    yield json.dumps({"move": "act", "command": "go to shelf 1", "text": "I am looking for it."}) * 8


def vocabulary():
    """A byte-level tokenizer: its tokens in order, and its merges."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=VOCABULARY,
        special_tokens=CONTROL,
        initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()),
        show_progress=False,
    )
    tokenizer.train_from_iterator(sentences(), trainer)
    model = json.loads(tokenizer.to_str())["model"]
    tokens = sorted(model["vocab"], key=model["vocab"].get)
    merges = [merge if isinstance(merge, str) else " ".join(merge) for merge in model["merges"]]
    return tokens, merges


def describe(writer, tokens, merges):
    """The metadata."""
    writer.add_name("tiny random model")
    writer.add_context_length(CONTEXT)
    writer.add_embedding_length(WIDTH)
    writer.add_block_count(LAYERS)
    writer.add_feed_forward_length(INNER)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(KEY_HEADS)
    writer.add_rope_dimension_count(HEAD)
    writer.add_rope_freq_base(10000.0)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_vocab_size(len(tokens))
    writer.add_file_type(gguf.LlamaFileType.MOSTLY_F16)
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("gpt-2")
    writer.add_token_list(tokens)
    writer.add_token_merges(merges)
    kinds = [gguf.TokenType.CONTROL if token in CONTROL else gguf.TokenType.NORMAL for token in tokens]
    writer.add_token_types([int(kind) for kind in kinds])
    writer.add_bos_token_id(tokens.index(START))
    writer.add_eos_token_id(tokens.index(END))
    writer.add_pad_token_id(tokens.index(PAD))
    writer.add_add_bos_token(True)
    writer.add_add_eos_token(False)
    writer.add_chat_template(TEMPLATE)


def weights(size):
    """Every tensor by name, in the order of the file."""
    dice = numpy.random.default_rng(SEED)

    def drawn(rows, columns):
        return dice.normal(0.0, columns**-0.5, (rows, columns)).astype(numpy.float16)

    ones = numpy.ones(WIDTH, numpy.float32)
    yield "token_embd.weight", dice.normal(0.0, 1.0, (size, WIDTH)).astype(numpy.float16)
    for layer in range(LAYERS):
        block = f"blk.{layer}."
        yield block + "attn_norm.weight", ones
        yield block + "attn_q.weight", drawn(HEADS * HEAD, WIDTH)
        yield block + "attn_k.weight", drawn(KEY_HEADS * HEAD, WIDTH)
        yield block + "attn_v.weight", drawn(KEY_HEADS * HEAD, WIDTH)
        yield block + "attn_output.weight", drawn(WIDTH, HEADS * HEAD)
        yield block + "ffn_norm.weight", ones
        yield block + "ffn_gate.weight", drawn(INNER, WIDTH)
        yield block + "ffn_up.weight", drawn(INNER, WIDTH)
        yield block + "ffn_down.weight", drawn(WIDTH, INNER)
    yield "output_norm.weight", ones
    yield "output.weight", drawn(size, WIDTH)


def main():
    (out,) = sys.argv[1:]
    tokens, merges = vocabulary()
    writer = gguf.GGUFWriter(out, "llama")
    describe(writer, tokens, merges)
    for name, tensor in weights(len(tokens)):
        writer.add_tensor(name, tensor)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


if __name__ == "__main__":
    main()
