#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A bench whose host part is Python takes the time of its twin in C++, and its mistakes are exceptions."""

import contextvars
import os
import signal
import threading
import unittest

import kernbench
import numpy

SMALL = {"system.sips.count": 1, "sip.cube_mesh.w": 2, "sip.cube_mesh.h": 1}


def topology():
    return kernbench.load(**{key.replace(".", "__"): value for key, value in SMALL.items()})


def add(kb, rows=64, columns=32, policy="row"):
    x, y = (numpy.random.default_rng(seed).random((rows, columns), numpy.float32) for seed in (1, 2))
    on_device = [kb.tensor(values, policy=policy) for values in (x, y)]
    z = kb.tensor(shape=(rows, columns), policy=policy)
    with kb.measure("vector-add"):
        kb.launch("vector-add", *on_device, z)
    copy = kb.read(z)
    kb.expect("z", copy, x + y)
    return copy


def multiply(kb, m=96, k=80, n=64):
    a = kb.tensor(numpy.ones((m, k), numpy.float16))
    b = kb.tensor(numpy.ones((k, n), numpy.float16), policy="replicated")
    c = kb.tensor(shape=(m, n), dtype="f16")
    with kb.measure("gemm"):
        kb.launch("gemm", a, b, c)
    kb.read(c)


def softmax(kb, rows=256, columns=64):
    x = numpy.random.default_rng(3).random((rows, columns), numpy.float32).astype(numpy.float16)
    tensor, y = kb.tensor(x), kb.tensor(shape=(rows, columns), dtype="f16")
    with kb.measure("softmax"):
        kb.launch("softmax", tensor, y, 16)
    copy = kb.read(y)
    powers = numpy.exp(x.astype(float))
    kb.expect("y", copy, powers / powers.sum(1, keepdims=True))


class Twins(unittest.TestCase):
    def assert_same(self, mine, theirs):
        self.assertEqual((mine.end_ps, mine.operations, mine.flit_hops), (theirs.end_ps, theirs.operations, theirs.flit_hops))
        self.assertTrue(mine.regions.equals(theirs.regions), (mine.regions, theirs.regions))
        self.assertTrue(mine.launches.equals(theirs.launches), (mine.launches, theirs.launches))
        self.assertEqual((mine.wrong, theirs.wrong), ([], []))

    def test_take_the_same_picoseconds_as_the_benches_in_cpp(self):
        # A host part in Python uses all of the SIP.
        for system, cubes in ((topology(), "2x1"), (kernbench.load(), "4x4")):
            self.assert_same(system.run(add), system.run("vector-add", rows=64, columns=32, cubes=cubes, pes=8))
        system, whole = topology(), {"cubes": "2x1", "pes": 8}
        self.assert_same(system.run(multiply), system.run("gemm", m=96, k=80, n=64, a="row", b="replicated", c="row", **whole))
        self.assert_same(system.run(softmax), system.run("softmax", rows=256, columns=64, split="no", **whole))

    def test_have_the_same_numbers_and_times_when_they_are_checked(self):
        system = topology()
        self.assert_same(system.run(add, verify=True, rows=40), system.run("vector-add", verify=True, rows=40, columns=32))
        self.assert_same(system.run(softmax, verify=True), system.run("softmax", verify=True, rows=256, columns=64, split="no"))

    def test_are_the_same_whenever_they_run(self):
        system, results = topology(), []
        threads = [threading.Thread(target=lambda: results.append(system.run(add).end_ps)) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(results, [system.run(add).end_ps] * 4)


class Numbers(unittest.TestCase):
    def test_of_copies_are_arrays_after_a_verified_run(self):
        result = topology().run(add, verify=True)
        x, y = (numpy.random.default_rng(seed).random((64, 32), numpy.float32) for seed in (1, 2))
        self.assertTrue(numpy.array_equal(result.returned.values, x + y))
        copy = topology().run(add).returned
        with self.assertRaisesRegex(RuntimeError, "^the numbers of a copy exist after a run with verify=True$"):
            copy.values  # pylint: disable=pointless-statement

    def test_of_every_type_arrive_unchanged(self):
        given = {"f32": numpy.float32([[1.5, -2, 1e30]]), "f16": numpy.float16([[0.1, -65504, 3]]), "i32": numpy.int32([[-5, 2**31 - 1, 0]]),
                 "i8": numpy.int8([[-128, 127, 1]])}

        def copy(kb):
            kept = {name: kb.read(kb.tensor(values)) for name, values in given.items()}
            kept["bf16"] = kb.read(kb.tensor([[1.00390625, 3.0, 1.0 + 2**-9]], dtype="bf16"))
            kept["f8e4m3"] = kb.read(kb.tensor([[1.0625, -500.0, 3.25]], dtype="f8e4m3"))
            kept["f8e5m2"] = kb.read(kb.tensor([[1.125, 1e9, 3.5]], dtype="f8e5m2"))
            kept["i4"] = kb.read(kb.tensor([[-8, 7], [1, -1]], dtype="i4"))
            return kept

        copies = topology().run(copy, verify=True).returned
        for name, values in given.items():
            self.assertEqual(copies[name].values.dtype, values.dtype)
            self.assertTrue(numpy.array_equal(copies[name].values, values), name)
        # bf16 has 8 bits of precision; ties go to even.
        self.assertEqual(copies["bf16"].values.tolist(), [[1.0, 3.0, 1.0]])
        self.assertEqual(copies["bf16"].values.dtype, numpy.float32)
        # f8 have 4 and 3 bits of precision, and saturate.
        self.assertEqual(copies["f8e4m3"].values.tolist(), [[1.0, -448.0, 3.25]])
        self.assertEqual(copies["f8e5m2"].values.tolist(), [[1.0, 57344.0, 3.5]])
        self.assertEqual(copies["f8e4m3"].values.dtype, numpy.float32)
        self.assertEqual(copies["i4"].values.tolist(), [[-8, 7], [1, -1]])
        self.assertEqual(copies["i4"].values.dtype, numpy.int8)

    def test_that_are_wrong_are_reported(self):
        def wrong(kb):
            copy = kb.read(kb.tensor(numpy.float32([[1, 2]])))
            kb.expect("y", copy, [[1, 3]])
            kb.expect("nearly", copy, [[1, 3]], relative=0.5)

        self.assertEqual(topology().run(wrong, verify=True).wrong, ["y: [0, 1]: 2, expected 3"])


class Hosts(unittest.TestCase):
    def test_know_the_device_the_time_and_the_context(self):
        variable = contextvars.ContextVar("variable")
        variable.set("of the caller")
        seen = []

        def look(kb):
            seen.extend([kb.cubes, kb.pes, kb.now_ps, variable.get()])
            add(kb)
            kb.synchronize()
            seen.append(kb.now_ps)

        result = topology().run(look)
        self.assertEqual(seen, [2, 8, 0, "of the caller", result.end_ps])

    def test_free_memory(self):
        def loop(kb):
            for _ in range(6):
                tensor = kb.tensor(shape=(16, 1 << 26))
                kb.launch("vector-add", *[kb.tensor(shape=(1, 1))] * 3, cubes=1, pes=1)
                kb.free(tensor)
                kb.synchronize()

        self.assertEqual(len(topology().run(loop).launches), 6)
        self.assertEqual(list(topology().run(loop).launches["programs"]), [1] * 6)


class Mistakes(unittest.TestCase):
    def raises(self, error, text, work):
        with self.assertRaisesRegex(error, text):
            topology().run(work)

    def test_of_the_host_part_arrive_as_themselves(self):
        class Own(BaseException):
            pass

        own = Own("own")

        def fails(kb):
            add(kb)
            raise own

        raised = None
        try:
            topology().run(fails)
        except Own as error:  # assertRaises drops the traceback
            raised = error
        self.assertIs(raised, own)
        names, trace = [], raised.__traceback__
        while trace:
            names.append(trace.tb_frame.f_code.co_name)
            trace = trace.tb_next
        self.assertEqual(names[-1], "fails")

    def test_of_requests_are_value_errors_where_they_were_made(self):
        signature = r"vector-add\(tensor x, tensor y, tensor z\)"
        self.raises(ValueError, f"^kernel {signature} has 3 arguments, not 1$", lambda kb: kb.launch("vector-add", 1))
        self.raises(ValueError, f"^kernel {signature}: argument 1 is a whole number, not a tensor$",
                    lambda kb: kb.launch("vector-add", 1, 2, 3))
        self.raises(ValueError, "^'rows' is not a policy: use row, column, blocks, replicated, everywhere$",
                    lambda kb: kb.tensor(shape=(1, 1), policy="rows"))
        self.raises(ValueError, "^'f8' is not a type of elements: use f32, f16, bf16, i32, i8, f8e4m3, f8e5m2, i4$",
                    lambda kb: kb.tensor(shape=(1, 1), dtype="f8"))
        self.raises(ValueError, "^an array of float64 needs a dtype: f32, f16, bf16, i32, i8, f8e4m3, f8e5m2, i4$", lambda kb: kb.tensor([1.0]))
        self.raises(ValueError, "^the array has numbers that i8 cannot hold$", lambda kb: kb.tensor([300], dtype="i8"))
        self.raises(ValueError, "^the array has numbers that i4 cannot hold$", lambda kb: kb.tensor([7, 8], dtype="i4"))
        self.raises(ValueError, "^a tensor of 1 x 3 of i4 has parts of 3 columns, but two elements share a byte: the number must be even$",
                    lambda kb: kb.tensor([1, 2, 3], dtype="i4"))
        self.raises(ValueError, "^a tensor needs either values or a shape$", lambda kb: kb.tensor())
        self.raises(ValueError, "^a tensor has rows and columns; the array has 3 dimensions$",
                    lambda kb: kb.tensor(numpy.zeros((1, 1, 1), numpy.float32)))
        self.raises(ValueError, "^cannot launch on ", lambda kb: kb.launch("vector-add", *[kb.tensor(shape=(1, 1))] * 3, cubes=99))
        self.raises(ValueError, "^the HBM slice of sip0.cube0.pe0 is out of memory: ", lambda kb: kb.tensor(shape=(1 << 40, 1)))

        def nested(kb):
            with kb.measure("outer"), kb.measure("inner"):
                pass

        self.raises(ValueError, "^the measured region 'inner' begins inside the region 'outer'; ", nested)

    def test_an_interrupt_in_a_kernel_arrives_as_itself(self):
        @kernbench.kernel
        def waits(tl, x):
            tl.load(x.local(tl))
            signal.raise_signal(signal.SIGINT)
            while True:
                tl.load(x.local(tl))

        with self.assertRaises(KeyboardInterrupt):
            topology().run(lambda kb: kb.launch(waits, kb.tensor(shape=(64, 8))))
        self.assertGreater(topology().run(add).end_ps, 0)  # another run is not affected

    def test_may_be_caught_and_the_host_part_continues(self):
        def tries(kb):
            with self.assertRaises(ValueError):
                kb.launch("vector-add", 1)
            return add(kb)

        self.assertEqual(topology().run(tries).end_ps, topology().run(add).end_ps)

    def test_of_the_run_are_run_failed(self):
        self.raises(kernbench.RunFailed, "^bench 'nothing' submitted no operation$", named("nothing", lambda kb: None))
        # The PEs look the name up, and their answer ends the run.
        self.raises(kernbench.RunFailed, r"^sip0\.cube0\.pe0\.pe_cpu: unknown kernel 'vector-ad': use gemm, (saxpy, )?softmax, vector-add; "
                    r"did you mean 'vector-add'\?$", lambda kb: kb.launch("vector-ad"))
        with self.assertRaisesRegex(kernbench.RunFailed, "^simulated time reached 0.100 us$"):
            topology().run(add, time_limit_us=0.1)
        with self.assertRaisesRegex(ValueError, "^unknown device 7; the system has SIPs 0 to 0$"):
            topology().run(add, device=7)

        def mismatched(kb):
            kb.launch("vector-add", *(kb.tensor(shape=shape) for shape in ((8, 8), (8, 4), (8, 8))))
            kb.synchronize()

        self.raises(kernbench.RunFailed, "^kernel 'vector-add' on sip0.cube0.pe0", mismatched)

    def test_of_using_a_host_or_a_tensor_of_another_run(self):
        kept = []

        def keep(kb):
            kept.extend([kb, kb.tensor(shape=(1, 1))])
            add(kb)

        topology().run(keep)
        with self.assertRaisesRegex(RuntimeError, "^the run of this host has ended$"):
            kept[0].synchronize()
        self.raises(ValueError, "^the tensor belongs to another run$", lambda kb: kb.read(kept[1]))
        for use in (lambda kb: kb.read(5), lambda kb: kb.free(5)):
            self.raises(TypeError, "^a Tensor of this host is needed, not 5$", use)
        self.raises(TypeError, "^a Copy of a tensor is needed, not 5$", lambda kb: kb.expect("x", 5, [1]))


def named(name, function):
    function.__name__ = name
    return function


class Plugins(unittest.TestCase):
    def test_bring_kernels_and_benches(self):
        if "saxpy" not in kernbench.benches():
            kernbench.load_plugin(os.environ["PLUGIN_SAXPY"])
        self.assertEqual(kernbench.kernels()["saxpy"], "saxpy(tensor x, tensor y, number a)")

        def saxpy(kb):
            values = [numpy.full((256, 64), number, numpy.float32) for number in (3, 5)]
            x, y = map(kb.tensor, values)
            with kb.measure("saxpy"):
                kb.launch("saxpy", x, y, 2)
            copy = kb.read(y)
            kb.expect("y", copy, 2 * values[0] + values[1])
            return copy

        mine, theirs = topology().run(saxpy, verify=True), topology().run("saxpy", verify=True)
        self.assertEqual((mine.end_ps, mine.wrong, theirs.wrong), (theirs.end_ps, [], []))
        self.assertEqual(set(mine.returned.values.ravel()), {11.0})

    def test_that_are_none_are_bad_input(self):
        with self.assertRaises(kernbench.BadInput) as caught:
            kernbench.load_plugin(__file__, "/nowhere.so")
        self.assertEqual([error.message.split(":")[0] for error in caught.exception.errors], ["--plugin", "--plugin"])
        self.assertEqual(caught.exception.errors[0].message, f"--plugin: '{__file__}' is not a shared library of this machine")


if __name__ == "__main__":
    unittest.main(verbosity=2)
