#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The program runs benches in files of Python, lists them, and says what is wrong with a file."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BENCHES = ROOT / "examples/python/benches"
SMALL = ["--set", "topology.system.sips.count=1", "--set", "topology.sip.cube_mesh.w=2", "--set", "topology.sip.cube_mesh.h=1"]

HEAD = """import kernbench


@kernbench.kernel
def k(tl, x):
    mine = x.local(tl)
    {body}


@kernbench.bench("mine", "what it does", rows=(64, "rows of x"))
def run(torch, rows):
    x = torch.tensor(shape=(rows, 32))
    torch.launch(k, x)
"""


class Files(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="kernbench-files-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, text, name="mine.py"):
        (self.folder / name).write_text(text)
        return name

    def program(self, *words, code=0, environment=None, keys=""):
        """The output of the program, which has to end with `code`."""
        done = subprocess.run([os.environ["KERNBENCH"], *map(str, words)], cwd=self.folder, check=False, text=True, input=keys,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env={**os.environ, **(environment or {})})
        self.assertEqual(done.returncode, code, done.stdout)
        return done.stdout

    def failure(self, body, *words, code=1):
        """The output of a run of a kernel whose body is `body`."""
        return self.program("run", self.write(HEAD.format(body=body)), *SMALL, *words, code=code)


class Runs(Files):
    def test_a_bench_of_a_file_with_its_parameters(self):
        self.write(HEAD.format(body="tl.store(mine, tl.load(mine) + 1.0)"))
        shown = self.program("run", "mine.py", "--set", "rows=128", *SMALL, "--json", "run.json")
        self.assertIn("mine: what it does\nsizes: rows=128\n", shown)
        data = json.loads((self.folder / "run.json").read_text())["data"]
        self.assertEqual((data["bench"], data["parameters"]["rows"], data["launches"][0]["kernel"]), ("mine", "128", "k"))
        self.assertEqual(self.program("run", "mine.py:mine", *SMALL), self.program("run", "mine.py", *SMALL))

    def test_takes_the_time_of_a_shipped_bench(self):
        whole = [*SMALL, "--set", "rows=500", "--set", "columns=96"]
        self.program("run", BENCHES / "vector_add.py", *whole, "--json", "mine.json")
        self.program("run", "vector-add", *whole, "--set", "cubes=2x1", "--set", "pes=8", "--json", "theirs.json")
        mine, theirs = (json.loads((self.folder / name).read_text())["data"] for name in ("mine.json", "theirs.json"))
        for data in (mine, theirs):
            data["launches"][0].pop("kernel"), data.pop("bench"), data.pop("parameters"), data.pop("sources", None)
        self.assertEqual(mine, theirs)

    def test_every_option_of_run(self):
        words = ["run", BENCHES / "vector_add.py", *SMALL, "--set", "rows=64"]
        self.assertIn("PASS  z: 16,384 elements, 0 wrong", self.program(*words, "--verify"))
        self.assertIn("PASS  z: 16,384 elements, 0 wrong", self.program(*words, "--verify", "--data", "live", "--upload"))
        self.assertIn("critical path", self.program(*words, "--explain").lower())
        self.program(*words, "--races", "--oplog", "log.json")
        lines = set(re.findall(r'"line":"([^"]*)"', (self.folder / "log.json").read_text()))
        self.assertEqual(lines, {"vector_add.py:14", "vector_add.py:15"})
        self.program(*words, "--trace", "timeline.json", "--html", "page.html", "--fidelity", "flit")
        self.program(*words, "--fidelity", "message")
        self.program(*words, "--what-if", "pe.clock_ghz*2", "--spread", "2")
        self.program("kernel", "record", BENCHES / "vector_add.py", *SMALL, "--cube", "0", "--pe", "1")

    def test_benches_of_a_folder_are_listed_and_run_by_name(self):
        shipped = self.program("list")
        listed = self.program("list", "--bench-dir", BENCHES)
        self.assertIn("py-vector-add        z = x + y, rows over all PEs\n", listed)
        self.assertIn("       rows=1024             rows of each tensor\n", listed)
        self.assertEqual(self.program("list", environment={"KERNBENCH_BENCHES": str(BENCHES)}), listed)
        self.assertNotIn(" py-", shipped)
        words = ["run", "py-all-to-all", *SMALL, "--set", "bytes=256"]
        self.assertEqual(self.program(*words, "--bench-dir", BENCHES), self.program("run", BENCHES / "all_to_all.py", *words[2:]))
        self.assertEqual(self.program("list", BENCHES / "softmax.py").split("\n")[0].split()[1], "py-softmax")

    def test_a_kernel_reads_numbers_with_live_data(self):
        body = 'tl.store(mine, tl.full(mine.rows, 32, 8.0, "f32"))\n    tile = tl.load(mine)\n' \
               '    while mine.rows and tl.read(tl.max(tl.max(tile, "columns"), "rows"))[0, 0] > 1:\n        tile = tile * 0.5'
        self.failure(body, "--data", "live", code=0)
        self.assertIn("tl.read at mine.py:9: the numbers are not computed while kernels run", self.failure(body))

    def test_a_kernel_is_ordinary_python(self):
        text = HEAD.format(body="""total = tl.full(1, 32, 0.0, "f32")
    for tile in rows_of(tl, mine):
        try:
            raise KeyError(tile.rows)
        except KeyError:
            total = total + tile           # waits inside of a handler, whose exception is that of this program
            assert sys.exc_info()[0] is KeyError
    assert sys.exc_info()[0] is None
    with_callbacks()
    tl.store(mine.block(0, 0, 1, 32), total)""")
        text = text.replace("import kernbench\n", """import ctypes
import sys

import kernbench
import numpy


def rows_of(tl, mine):
    for row in range(mine.rows):
        yield tl.load(mine.block(row, 0, 1, 32))


def with_callbacks():
    \"\"\"Calls C that calls Python, with the GIL and without.\"\"\"
    kind = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.c_int), ctypes.POINTER(ctypes.c_int))
    for library in (ctypes.PyDLL(None), ctypes.CDLL(None)):
        numbers = (ctypes.c_int * 4)(3, 1, 2, 0)
        library.qsort(numbers, 4, 4, kind(lambda a, b: a[0] - b[0]))
        assert list(numbers) == [0, 1, 2, 3]

""", 1).replace("torch.tensor(shape=(rows, 32))", "torch.tensor(numpy.arange(rows * 32, dtype=numpy.float32).reshape(rows, 32))")
        text += "    sums = numpy.arange(rows * 32.0).reshape(16, rows // 16, 32)\n    expected = sums.copy()\n" \
                "    expected[:, 0] = sums.sum(1)\n    torch.expect('x', torch.read(x), expected.reshape(rows, 32))\n"
        self.assertIn("PASS  x: 2,048 elements, 0 wrong", self.program("run", self.write(text), *SMALL, "--verify"))

    def test_breakpoints_stop_in_kernels_and_host_parts(self):
        text = HEAD.format(body="tl.load(mine)\n    if tl.program_id(0) + tl.program_id(1) == 0:\n        breakpoint()\n    tl.load(mine)")
        text = text.replace("    torch.launch(k, x)", "    breakpoint()\n    torch.launch(k, x)")
        shown = self.program("run", self.write(text), *SMALL, keys="p 'host', rows\nc\nn\np 'kernel', mine.shape\nn\nc\n")
        self.assertIn("('host', 64)\n", shown)
        self.assertIn("('kernel', (4, 32))\n", shown)
        self.assertEqual(shown.splitlines()[-1], self.program("run", self.write(text.replace("breakpoint()", "pass")), *SMALL).splitlines()[-1])

    def test_edited_files_need_no_build(self):
        before = self.failure("tl.store(mine, tl.load(mine) + 1.0)", code=0)
        after = self.failure("tl.store(mine, tl.load(mine) + 1.0 + 1.0)", code=0)
        self.assertNotEqual(before, after)

    def test_a_sweep_of_a_file_runs_again_when_an_imported_file_changes(self):
        self.write("FACTOR = 2.0\n", "factors.py")
        self.write("import factors\n" + HEAD.format(body="tl.store(mine, tl.load(mine) * factors.FACTOR)"))
        self.write('{"command": ["run", "mine.py"], "parameters": {"bench.rows": [32, 64]}, "targets": {"data.end_ps": "min"}}', "plan.yaml")
        self.program("sweep", "plan.yaml", "--output", "a")
        self.assertIn("2 of 2 points are in 'a' already\n", self.program("sweep", "plan.yaml", "--output", "a"))
        self.assertFalse((self.folder / "__pycache__").exists())
        self.write("FACTOR = 3.0\n", "factors.py")
        self.assertNotIn("already", self.program("sweep", "plan.yaml", "--output", "a"))


    def test_a_report_has_the_hashes_of_its_files_so_that_rerun_and_compare_notice_a_change(self):
        self.write("FACTOR = 2.0\n", "factors.py")
        self.write("import factors\n" + HEAD.format(body="tl.store(mine, tl.load(mine) * factors.FACTOR)"))
        self.program("run", "mine.py", *SMALL, "--json", "before.json", "--html", "page.html")
        self.assertRegex((self.folder / "page.html").read_text(), "(?s)<h2>Files</h2>.*factors.py.*mine.py")
        before = json.loads((self.folder / "before.json").read_text())
        self.assertEqual(set(before["data"]["sources"]), {"mine.py", "factors.py"})
        self.assertIn("PASS  the run gives all ", self.program("rerun", "before.json"))
        self.write("FACTOR = 3.0\n", "factors.py")  # the times stay
        self.assertRegex(self.program("rerun", "before.json", code=1), "MISMATCH  1 of [0-9,]+ values differ from before.json, the first: "
                                                                        "sources.factors.py\n")
        self.program("run", "mine.py", *SMALL, "--json", "after.json")
        after = json.loads((self.folder / "after.json").read_text())
        self.assertNotEqual(before["config_hash"], after["config_hash"])
        self.assertEqual({key for key, value in before["data"].items() if after["data"][key] != value}, {"sources"})
        self.assertIn("factors.py", self.program("compare", "before.json", "after.json", code=1))
        self.program("run", "vector-add", *SMALL, "--json", "shipped.json")
        self.assertNotIn("sources", json.loads((self.folder / "shipped.json").read_text())["data"])

    def test_a_sweep_notices_a_changed_file_of_a_parameter(self):
        text = HEAD.format(body="tl.load(mine)").replace('rows=(64, "rows of x")', 'rows=(64, "rows of x"), sizes=kernbench.InputFile("sizes.txt")')
        text = text.replace("def run(torch, rows):\n", "def run(torch, rows, sizes):\n    rows = int(open(sizes).read())\n"
                                                        "    torch.estimate('rows are read')\n")
        self.write("64\n", "sizes.txt")
        self.write("128\n", "other.txt")
        self.assertIn("us in all (estimate)", self.program("run", self.write(text), *SMALL))
        self.program("run", "mine.py", *SMALL, "--set", "sizes=other.txt")
        self.write('{"command": ["run", "mine.py"], "parameters": {"bench.rows": [1]}, "targets": {"data.end_ps": "min"}}', "plan.yaml")
        before = self.program("sweep", "plan.yaml", "--output", "a")
        self.assertIn("1 of 1 points are in 'a' already\n", self.program("sweep", "plan.yaml", "--output", "a"))
        self.write("1000\n", "sizes.txt")
        after = self.program("sweep", "plan.yaml", "--output", "a")
        self.assertNotIn("already", after)
        self.assertNotEqual(re.search("least data.end_ps: .*", before)[0], re.search("least data.end_ps: .*", after)[0])

    def test_a_sweep_notices_a_changed_bench_of_a_folder_and_a_changed_algorithm(self):
        self.write(HEAD.format(body="tl.store(mine, tl.load(mine) * 2.0)"))
        plan = '{"command": ["run", "%s", "--bench-dir", "."], "parameters": {"bench.%s": [%s]}, "targets": {"data.end_ps": "min"}}'
        self.write(plan % ("mine", "rows", "32, 64"), "plan.yaml")
        self.program("sweep", "plan.yaml", "--output", "a", "--bench-dir", ".")
        self.assertIn("2 of 2 points are in 'a' already\n", self.program("sweep", "plan.yaml", "--output", "a", "--bench-dir", "."))
        self.write(HEAD.format(body="tl.store(mine, tl.load(mine) * 3.0)"))
        self.assertNotIn("already", self.program("sweep", "plan.yaml", "--output", "a", "--bench-dir", "."))
        shutil.copy(ROOT / "examples/python/collectives/center.py", self.folder)
        self.write("backend: ahbm\nalgorithms: {all_reduce: center.py}\n", "ccl.yaml")
        self.write('{"command": ["run", "all-reduce", "--ccl", "ccl.yaml"], "parameters": {"bench.bytes": [4096]}, "targets": {"data.end_ps": "min"}}',
                   "plan.yaml")
        self.program("sweep", "plan.yaml", "--output", "b")
        self.assertIn("1 of 1 points are in 'b' already\n", self.program("sweep", "plan.yaml", "--output", "b"))
        self.write((self.folder / "center.py").read_text() + "\n# changed\n", "center.py")
        self.assertNotIn("already", self.program("sweep", "plan.yaml", "--output", "b"))


class Mistakes(Files):
    """A kernel's body is on line 7."""

    def fails(self, body, said, *words):
        shown = self.failure(body, *words)
        self.assertIn(said, shown)
        return shown

    def test_an_exception_has_the_lines_of_python(self):
        self.fails("tl.load(mine)\n    (lambda: 1 / 0)()",
                   "error: bench 'mine': kernel 'k' on sip0.cube0.pe0 threw after tl.load at mine.py:7: ZeroDivisionError: division by zero\n"
                   "  at mine.py:8 in <lambda>\n  at mine.py:8 in k\n")
        self.fails("mine.nothing", "threw before its first operation: AttributeError: 'kernbench.TensorRef' object has no attribute 'nothing'\n"
                   "  at mine.py:7 in k\n")

    def test_a_wrong_shape_is_the_error_of_cpp(self):
        self.fails("tl.store(mine, tl.load(mine.block(0, 0, 1, 16)))",
                   "kernel 'k' on sip0.cube0.pe0: tl.store at mine.py:7: a tile of 1 x 16 of f32 does not fit into 4 x 32 of f32")
        self.fails("tl.load(mine) + tl.load(mine.block(0, 0, 4, 3))", "tl.add at mine.py:7: 4 x 32 and 4 x 3 of f32 do not fit")

    def test_arguments_that_do_not_fit(self):
        for body, said in (
                ("tl.load(x)", "TypeError: load: source is <TensorView of 64 x 32 of f32> of type kernbench.TensorView, not a TensorRef, such as x.local(tl)"),
                ("tl.load()", "TypeError: load: source is missing"),
                ("tl.load(mine, mine)", "TypeError: load: has 1 parameter, not 2"),
                ("tl.load(mine, rows=3)", "TypeError: load: there is no parameter 'rows'"),
                ("tl.load(mine, source=mine)", "TypeError: load: source is given twice"),
                ("tl.full(2, 2, 1.0, 'f64')", "ValueError: full: type 'f64' is not a type of elements: use f32, f16, bf16, i32, i8, f8e4m3, f8e5m2, i4"),
                ("tl.full(-1, 2, 1.0, 'f32')", "ValueError: full: rows is -1, not from 0 to 18446744073709551615"),
                ("tl.sum(tl.load(mine), 0)", "TypeError: sum: axis is 0 of type int, not a text"),
                ("tl.sum(tl.load(mine), 'both')", "ValueError: sum: axis is 'both', not 'rows' or 'columns'"),
                ("tl.composite(mine, mine, mine, tile=3)", "TypeError: composite: there is no parameter 'tile'"),
                ("tl.composite(mine, mine, mine, epilogue=[('plus', 1.0)])", "ValueError: composite: epilogue 'plus' is not an operation such as 'add'"),
                ("tl.load(mine) == 1.0", "TypeError: tiles are not compared by == and !=; use tl.compare(\"equal\", a, b)"),
                ("tl.load(mine) + 'a'", "TypeError: unsupported operand type(s) for +: 'kernbench.Tile' and 'str'")):
            with self.subTest(body):
                self.fails(body, said)

    def test_a_branch_on_a_tile(self):
        self.fails("if tl.load(mine) > 0:\n        pass",
                   "threw after tl.greater at mine.py:7: TypeError: a kernel cannot branch on a tile, whose numbers are on the device; "
                   "tl.read(tile) returns them, with `kernbench run --data live`\n  at mine.py:7 in k\n")

    def test_a_tile_for_another_kernel(self):
        text = HEAD.format(body="kept.append(tl.load(mine))").replace("def k(tl, x)", "def k(tl, x, kept)")
        text = text.replace("torch.launch(k, x)", "kept = []\n    torch.launch(k, x, kept)") + "    torch.launch(other, x, kept)\n"
        text += "\n\n@kernbench.kernel\ndef other(tl, x, kept):\n    tl.store(x.local(tl), kept[0])\n"
        shown = self.program("run", self.write(text), *SMALL, code=1)
        self.assertIn("kernel 'other' on sip0.cube0.pe0: tl.store at mine.py:20: the tile belongs to another kernel", shown)
        text = text.replace("kept.append(tl.load(mine))", "kept.append(tl)").replace("tl.store(x.local(tl), kept[0])", "kept[0].load(x.local(tl))")
        self.assertIn("RuntimeError: the kernel of this tl has ended", self.program("run", self.write(text), *SMALL, code=1))

    def test_endless_recursion(self):
        self.fails("k(tl, x)", "RecursionError: maximum recursion depth exceeded")
        # Calls of C between those of Python take the stack of the kernel.
        shown = self.fails("deep = lambda n: sorted([1], key=lambda _: deep(n + 1))\n    deep(0)", "RecursionError: maximum recursion depth exceeded")
        self.assertIn("  and ", shown)

    def test_kernels_that_are_none(self):
        self.fails("return 3", "the kernel returned 3; a kernel returns nothing")
        for body, said in (("yield", "the kernel 'k' has yield or async; its operations wait by themselves"),
                           ("await mine", "'await' outside async function")):
            self.assertIn("mine.py:" + ("4" if body == "yield" else "7"), self.failure(body, code=2))
            self.assertIn(said, self.failure(body, code=2))

    def test_a_kernel_that_waits_forever_or_does_not_wait(self):
        self.fails("tl.iload(mine)", "tl.iload at mine.py:7: the kernel ended without waiting for this operation")
        self.assertIn("waits for", self.failure("tl.recv('E', 1, 1, 'f32')", code=1) + "waits for")

    def test_a_destroyed_kernel_unwinds_in_order(self):
        # Kernel 0 fails while the others wait: each passes its finally once and cannot go on.
        body = "try:\n        for _ in range(100):\n            tl.load(mine)\n            if tl.program_id(0) == 0:\n                1 / 0\n" \
               "    finally:\n        print('unwound', tl.program_id(0), tl.program_id(1))"
        shown = self.fails(body, "ZeroDivisionError")
        lines = [line for line in shown.splitlines() if line.startswith("unwound")]
        self.assertEqual(len(lines), len(set(lines)))
        self.assertGreater(len(lines), 8)
        # One that swallows the exception cannot go on: each later operation raises it again.
        swallows = "for i in range(100):\n        try:\n            tl.load(mine)\n        except BaseException as error:\n" \
                   "            print(type(error).__name__, i)\n        if tl.program_id(0) == 0:\n            1 / 0"
        self.assertIn("Abandoned 99\n", self.fails(swallows, "ZeroDivisionError"))

    def test_interrupts_end_kernels_and_host_parts(self):
        kill = "import os, signal; os.kill(os.getpid(), signal.SIGINT)"
        self.failure(f"{kill}\n    while True:\n        tl.load(mine)", code=130)
        self.write(HEAD.format(body="pass").replace("    torch.launch(k, x)", f"    {kill}\n    while True:\n        pass"))
        self.program("run", "mine.py", *SMALL, code=130)

    def test_a_kernel_that_assigns_a_global(self):
        self.assertIn("mine.py:8: the kernel 'k' assigns the global 'total', which programs that run at the same time share; use local "
                      "variables, or a tensor", self.failure("global total\n    total = 1", code=2))

    def test_a_kernel_that_changes_a_global_object(self):
        said = "TypeError: mine.py:{}: the global {} '{}', which the kernel 'k' reads, has changed since the launch, and programs that run " \
               "at the same time share it; use local variables, a tensor, or functools.cache"
        numbers = "numpy.zeros(4, numpy.float32)"
        for value, body, line, kind in (
                ("[]", "shared.append(tl.program_id(0))", 11, "list"), ("{}", "shared[tl.program_id(0)] = mine.rows", 11, "dict"),
                ("set()", "shared.add(mine.rows)", 11, "set"), ("[1, 2]", "shared[1] += 1", 11, "list"), (numbers, "shared[1] = 1", 11, "ndarray"),
                ("types.SimpleNamespace(sum=0)", "shared.sum += 1", 11, "SimpleNamespace"), ("[]", "alias = shared\n    alias.append(1)", 11, "list"),
                ("[]", "grow()", 5, "list")):
            text = HEAD.replace("import kernbench\n", "import types\nimport kernbench, numpy\nshared = " + value +
                                "\ndef grow():\n    shared.append(1)\n", 1).replace("{body}", body)
            with self.subTest(body):
                shown = self.program("run", self.write(text), *SMALL, code=1)
                self.assertIn(said.format(line, kind, "shared"), shown)
        # Constants, values that all programs compute alike, and caches of libraries are what globals are for.
        text = HEAD.replace("import kernbench\n", "import functools\nimport kernbench\nSIZES = {'a': [1, 2]}\n"
                            "@functools.cache\ndef twice(n):\n    return 2 * n\nfrom fnmatch import fnmatch\n", 1)
        self.program("run", self.write(text.replace("{body}", "assert twice(SIZES['a'][1]) == 4 and fnmatch('abc', 'a*')\n    tl.load(mine)")), *SMALL)

    def test_an_interpreter_of_another_version(self):
        package = pathlib.Path(os.environ["PYTHONPATH"]) / "kernbench"
        library = (package / "_interpreter.so").read_bytes()
        version = f"{sys.version_info[0]}.{sys.version_info[1]}"
        self.assertNotIn(b"libpython", library)  # else the program's Debian package would need it
        self.assertIn(f"\0{version}\0".encode(), library)
        copied = self.folder / "lib/python3/dist-packages/kernbench"
        copied.mkdir(parents=True)
        (copied / "_interpreter.so").write_bytes(library.replace(f"\0{version}\0".encode(), b"\x003.98\0"))
        (self.folder / "bin").mkdir()
        shutil.copy(os.environ["KERNBENCH"], self.folder / "bin/kernbench")
        self.write(HEAD.format(body="tl.load(mine)"))
        done = subprocess.run([self.folder / "bin/kernbench", "run", "mine.py", "--json", "run.json"], cwd=self.folder, check=False, text=True,
                              capture_output=True, env={**os.environ, "KERNBENCH_ROOT": str(ROOT)})
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("error: benches in Python need Python 3.98, for which this kernbench is built, and this computer has Python "
                      f"{version}; install libpython3.98, or build kernbench with the Python of this computer\n", done.stderr)
        self.assertFalse((self.folder / "run.json").exists())
        # The same of the package, in a Python that it is not built for.
        other = self.folder / "package/kernbench"
        shutil.copytree(package, other, ignore=lambda folder, names: [one for one in names if one.endswith(".so")])
        (other / "_native.cpython-398-x86_64-linux-gnu.so").write_bytes(b"")
        done = subprocess.run([sys.executable, "-c", "import kernbench"], check=False, text=True, capture_output=True,
                              env={**os.environ, "PYTHONPATH": str(self.folder / "package")})
        self.assertIn(f"ImportError: kernbench in {other} is built for CPython 3.98, and this is cpython {version}: run it with python3.98",
                      done.stderr)

    def test_output_without_end(self):
        self.fails("while True:\n        print('x' * 1000000)", "RuntimeError: more than 16777216 characters were printed")

    def test_an_exception_of_the_host_part(self):
        text = HEAD.format(body="pass").replace("torch.launch(k, x)", "torch.launch(k)")
        self.assertIn("error: bench 'mine': TypeError: mine.py:4: the kernel 'k' takes (x): missing a required argument: 'x'\n  at mine.py:13 in run\n",
                      self.program("run", self.write(text), *SMALL, code=1))
        text = text.replace("torch.launch(k)", "raise kernbench.BadParameter(\"'rows' is odd\")")
        self.assertIn("error: 'rows' is odd", self.program("run", self.write(text), *SMALL, code=2))
        text = HEAD.format(body="pass").replace("    torch.launch(k, x)\n", "")
        self.assertIn("submitted no operation", self.program("run", self.write(text), *SMALL, code=1))

    def test_a_file_that_cannot_be_used(self):
        head = HEAD.format(body="pass")
        for text, said in (
                ("def f(:\n", "mine.py:1:7: error: invalid syntax\n    1 | def f(:\n      |       ^\n"),
                ("import kernbench\n", "mine.py: error: the file has no bench\n  hint: a function below @kernbench.bench(\"name\", \"what it does\") is one\n"),
                ("x = 1\nraise KeyError(x)\n", "mine.py:2:1: error: KeyError: 1\n"),
                ("import sys\nsys.exit(3)\n", "mine.py:2:1: error: SystemExit: 3\n"),
                ("import nothing_of_this_name\n", "mine.py:1:1: error: ModuleNotFoundError: No module named 'nothing_of_this_name'\n"),
                (head.replace('"mine"', '"gemm"'), "mine.py:10:1: error: the bench name 'gemm' is already registered\n"),
                (head.replace('"mine"', '"Mine"'), "mine.py:10:1: error: the bench name 'Mine' is not in kebab-case\n"),
                (head + head.split("\n", 2)[2], "the bench name 'mine' is already registered\n"),
                ("import kernbench\nkernbench.load()\n", "mine.py:2:1: error: AttributeError: kernbench.load: a file that `kernbench run` reads has kernels")):
            with self.subTest(text):
                self.assertIn(said, self.program("run", self.write(text), "--json", "run.json", code=2))
                self.assertFalse((self.folder / "run.json").exists())

    def test_a_program_without_the_package(self):
        program = self.folder / "bin/kernbench"
        program.parent.mkdir()
        shutil.copy(os.environ["KERNBENCH"], program)
        self.write(HEAD.format(body="pass"))
        done = subprocess.run([program, "run", "mine.py"], cwd=self.folder, check=False, text=True, capture_output=True,
                              env={**os.environ, "KERNBENCH_ROOT": str(ROOT)})
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("error: benches in Python need kernbench/_interpreter.so, which is neither in the build nor in the installation of ", done.stderr)

    def test_names_and_parameters_that_are_unknown(self):
        self.write(HEAD.format(body="pass") + HEAD.format(body="pass").split("\n", 2)[2].replace('"mine"', '"other"'))
        self.assertIn("error: mine.py has 2 benches; choose one by mine.py:NAME: mine, other\n", self.program("run", "mine.py", code=2))
        self.assertIn("error: mine.py has no bench 'othr'; it has mine, other; did you mean 'other'?\n", self.program("run", "mine.py:othr", code=2))
        self.assertIn("error: bench 'mine' has no parameter 'row'; it has rows, cubes, pes; did you mean 'rows'?\n",
                      self.program("run", "mine.py:mine", "--set", "row=3", code=2))
        self.assertIn("error: parameter 'rows' must be a whole number such as 64, not 'x'\n", self.program("run", "mine.py:mine", "--set", "rows=x", code=2))
        self.assertIn("nothing.py", self.program("run", "nothing.py", code=2))
        self.assertIn("error: 'nowhere' is not a folder of benches: No such file or directory\n", self.program("list", "--bench-dir", "nowhere", code=2))


if __name__ == "__main__":
    unittest.main(verbosity=2)
