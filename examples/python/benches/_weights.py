# SPDX-License-Identifier: Apache-2.0
"""The weights of a transformer, and its logits as NumPy computes them."""

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy

EPSILON = 1e-5


class Shape(NamedTuple):
    """The shape of a model. Weights and activations are f16."""

    hidden: int
    layers: int
    heads: int
    kv_heads: int
    head_size: int
    feed_forward: int
    vocabulary: int


def angles(size: int, positions: int, function: Callable[[Any], Any]) -> Any:
    powers = 10000.0 ** (-numpy.arange(size // 2) / (size // 2))
    return function(numpy.arange(positions)[:, None] * powers).astype(numpy.float32)


class Weights(NamedTuple):
    """Whole matrices by name, uniform numbers of variance 1/rows, from the seed."""

    shape: Shape
    seed: int

    def of(self, name: str, layer: int = 0) -> Any:
        shape = self.shape
        q, kv = shape.heads * shape.head_size, shape.kv_heads * shape.head_size
        sizes = {"query": (shape.hidden, q), "key": (shape.hidden, kv), "value": (shape.hidden, kv), "output": (q, shape.hidden),
                 "gate": (shape.hidden, shape.feed_forward), "up": (shape.hidden, shape.feed_forward),
                 "down": (shape.feed_forward, shape.hidden), "logits": (shape.hidden, shape.vocabulary),
                 "embedding": (shape.vocabulary, shape.hidden)}
        rows, columns = sizes[name]
        random = numpy.random.default_rng([self.seed, layer, list(sizes).index(name)])
        limit = 1.0 if name == "embedding" else math.sqrt(3 / rows)
        return random.uniform(-limit, limit, (rows, columns)).astype(numpy.float16)


def reference(shape: Shape, weights: Weights, words: list[int]) -> Any:
    """The logits after the words of a sequence, in double."""
    def norm(values: Any) -> Any:
        return values / numpy.sqrt((values ** 2).mean(1, keepdims=True) + EPSILON)

    def heads_of(values: Any, rotated: bool) -> Any:
        heads = values.reshape(len(words), -1, shape.head_size).transpose(1, 0, 2)
        if not rotated:
            return heads
        cos, sin = angles(shape.head_size, len(words), numpy.cos), angles(shape.head_size, len(words), numpy.sin)
        left, right = numpy.split(heads, 2, 2)
        return numpy.concatenate([left * cos - right * sin, right * cos + left * sin], 2)

    def weight(name: str, layer: int = 0) -> Any:
        return weights.of(name, layer).astype(float)

    x = weight("embedding")[words]
    for layer in range(shape.layers):
        normed = norm(x)
        q, k = (heads_of(normed @ weight(name, layer), True) for name in ("query", "key"))
        v = heads_of(normed @ weight("value", layer), False)
        k, v = (numpy.repeat(one, shape.heads // shape.kv_heads, 0) for one in (k, v))
        scores = q @ k.transpose(0, 2, 1) / math.sqrt(shape.head_size)
        scores[:, ~numpy.tri(len(words), dtype=bool)] = -numpy.inf
        shares = numpy.exp(scores - scores.max(2, keepdims=True))
        attended = (shares / shares.sum(2, keepdims=True) @ v).transpose(1, 0, 2).reshape(len(words), -1)
        x = x + attended @ weight("output", layer)
        normed = norm(x)
        gated = normed @ weight("gate", layer)
        x = x + gated / (1 + numpy.exp(-gated)) * (normed @ weight("up", layer)) @ weight("down", layer)
    return norm(x[-1:]) @ weight("logits")
