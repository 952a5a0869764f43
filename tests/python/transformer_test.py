#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The transformer in Python takes the picoseconds of the bench in C++ with the same words, and computes right numbers."""

import random
import sys
import unittest

import kernbench

from in_a_folder import ROOT, InAFolder

sys.path.insert(0, str(ROOT / "examples/python/benches"))
import transformer  # noqa: E402

MASK = (1 << 64) - 1


def mix(x):
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9 & MASK
    x = (x ^ x >> 27) * 0x94d049bb133111eb & MASK
    return x ^ x >> 31


def drawn_words(seed, sequence, count, vocabulary):
    """The words that the bench in C++ draws: xoshiro256** by common/random.hpp."""
    key = 0xcbf29ce484222325
    for byte in f"sequence {sequence}".encode():
        key = (key ^ byte) * 0x100000001b3 & MASK
    key = mix(mix(seed) + key & MASK)
    state = [mix(key + i * 0x9e3779b97f4a7c15 & MASK) for i in range(1, 5)]

    def rotated(x, by):
        return (x << by | x >> 64 - by) & MASK

    words = []
    while len(words) < count:
        bits, shifted = rotated(state[1] * 5 & MASK, 7) * 9 & MASK, state[1] << 17 & MASK
        state[2] ^= state[0]
        state[3] ^= state[1]
        state[1] ^= state[2]
        state[0] ^= state[3]
        state[2] ^= shifted
        state[3] = rotated(state[3], 45)
        product = bits * vocabulary
        if product & MASK >= (1 << 64) % vocabulary:
            words.append(product >> 64)
    return words


class Transformer(InAFolder):
    topology = kernbench.load(system__sips__count=4, sip__cube_mesh__w=2, sip__cube_mesh__h=2)

    def assert_same(self, shape, batch, prompt, tensor, page, seed, **settings):
        model = self.folder / "model.yaml"
        model.write_text("name: drawn\n" + "".join(f"{key}: {value}\n" for key, value in shape._asdict().items()))
        words = [drawn_words(seed, sequence, prompt, shape.vocabulary) for sequence in range(batch)]
        mine = self.topology.run(lambda torch: transformer.prefill(torch, shape, tensor, words, page, seed), **settings)
        twin = self.topology.run("transformer", model=str(model), batch=batch, prompt=prompt, decode=0, tensor=tensor, page=page,
                                 seed=seed, cubes="2x2", pes=8, **settings)
        self.assertEqual((mine.end_ps, mine.operations, mine.flit_hops), (twin.end_ps, twin.operations, twin.flit_hops))
        self.assertTrue(mine.regions.equals(twin.regions), (mine.regions, twin.regions))
        self.assertTrue(mine.launches.equals(twin.launches), (mine.launches, twin.launches))
        self.assertEqual((mine.wrong, twin.wrong), ([], []))

    def test_takes_the_time_of_the_bench_in_cpp(self):
        draw = random.Random("transformer")
        for i, tensor in enumerate((1, 2, 4)):
            kv_heads = 2 ** draw.randrange(4)
            heads = max(tensor, kv_heads) * 2 ** draw.randrange(3)
            shape = transformer.Shape(hidden=16 * draw.randrange(4, 30), layers=draw.randrange(1, 3), heads=heads, kv_heads=kv_heads,
                                      head_size=2 * draw.randrange(4, 33), feed_forward=4 * draw.randrange(10, 200),
                                      vocabulary=4 * draw.randrange(10, 300))
            batch, prompt, page = draw.randrange(1, 4), draw.randrange(2, 200), draw.randrange(8, 65)
            with self.subTest(shape=shape, batch=batch, prompt=prompt, tensor=tensor, page=page):
                self.assert_same(shape, batch, prompt, tensor, page, i + 1, verify=True)

    def test_wrong_logits_are_found(self):
        shape = transformer.Shape(64, 1, 2, 1, 16, 64, 40)

        original = transformer.reference
        transformer.reference = lambda shape, weights, words: original(shape, weights, [7, *words[1:]])
        try:
            wrong = self.topology.run(lambda torch: transformer.prefill(torch, shape, 1, [[1, 2, 3]], 16, 1), verify=True).wrong
        finally:
            transformer.reference = original
        self.assertRegex(wrong[0], "^logits at rank 0: ")


if __name__ == "__main__":
    unittest.main(verbosity=2)
