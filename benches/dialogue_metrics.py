"""Scores pairs with the Python libraries: a line of JSON `[response, reference]` each on the input.
Prints pairs per second of processor time, and the sum of all values."""

import collections
import json
import logging
import re
import string
import sys
import time
import warnings

from nltk.translate.bleu_score import SmoothingFunction, sentence_bleu
from rouge_score.rouge_scorer import RougeScorer
from sacrebleu.metrics import BLEU, CHRF

WEIGHTS = [(1.0,), (1 / 2,) * 2, (1 / 3,) * 3, (1 / 4,) * 4]
ARTICLES = re.compile(r"\b(a|an|the)\b")
PUNCTUATION = str.maketrans("", "", string.punctuation)


def answer(text):
    return ARTICLES.sub(" ", text.lower().translate(PUNCTUATION)).split()


def f1(response, reference):
    response, reference = answer(response), answer(reference)
    common = (collections.Counter(response) & collections.Counter(reference)).total()
    if common == 0:
        return 0.0
    precision, recall = common / len(response), common / len(reference)
    return 2 * precision * recall / (precision + recall)


def distinct(words, order):
    grams = list(zip(*(words[start:] for start in range(order))))
    return len(set(grams)) / max(1, len(grams))


def main():
    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)
    pairs = [json.loads(line) for line in sys.stdin]
    smoothing = SmoothingFunction().method1
    sacre, chrf, rouge = BLEU(), CHRF(word_order=2), RougeScorer(["rougeL"], use_stemmer=True)
    total = 0.0
    start = time.process_time()
    for response, reference in pairs:
        words, others = response.lower().split(), [reference.lower().split()]
        orders = sentence_bleu(others, words, WEIGHTS, smoothing_function=smoothing)
        total += sum(orders) / 4
        total += sacre.sentence_score(response, [reference]).score
        total += chrf.sentence_score(response, [reference]).score
        total += rouge.score(reference, response)["rougeL"].fmeasure
        total += f1(response, reference)
        total += distinct(words, 1) + distinct(words, 2)
    print(len(pairs) / (time.process_time() - start), total)


if __name__ == "__main__":
    main()
