#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The package and the examples are strictly typed, and the stub of the extension module names what it has."""

import ast
import inspect
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import kernbench
from kernbench import _native

ROOT = pathlib.Path(__file__).resolve().parents[2]
PACKAGE = pathlib.Path(kernbench.__file__).parent
SETTINGS = ROOT / "python/mypy.ini"


CACHE = tempfile.TemporaryDirectory(prefix="kernbench-mypy-")  # what mypy knows of the standard library and of NumPy


def output(*words, folder=ROOT):
    done = subprocess.run([sys.executable, "-m", *map(str, words)], cwd=folder, env={**os.environ, "MYPY_CACHE_DIR": CACHE.name}, check=False,
                          text=True, capture_output=True)
    return done.stdout + done.stderr


def mypy(*files):
    return output("mypy", "--config-file", SETTINGS, *files)


def stubtest(folder, settings=SETTINGS, module="kernbench._native"):
    allowed = ["--allowlist", ROOT / "tests/python/stubtest.allow"] if module == "kernbench._native" else []
    return output("mypy.stubtest", "--mypy-config-file", settings, *allowed, module, folder=folder)


def parameters(stub):
    """The number of parameters of each function and method of the stub, without self."""
    found = {}
    for node in ast.parse(stub).body:
        for name, function in ([(node.name, node)] if isinstance(node, ast.FunctionDef) else
                               [(f"{node.name}.{one.name}", one) for one in node.body if isinstance(one, ast.FunctionDef)]
                               if isinstance(node, ast.ClassDef) else []):
            if not function.decorator_list:
                every = function.args.posonlyargs + function.args.args
                found[name] = len(every) - ("." in name)
    return found


def runtime_parameters(name):
    """The same from the signature in a docstring of pybind11; types in it may have commas inside brackets."""
    value = _native
    for part in name.split("."):
        value = getattr(value, part)
    text = re.search(r"\((.*)\) -> ", value.__doc__).group(1)
    while re.search(r"\[[^\[\]]*\]", text):
        text = re.sub(r"\[[^\[\]]*\]", "", text)
    return len([one for one in text.split(", ") if one]) - ("." in name)


class Types(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="kernbench-types-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def copied(self, file, old, new):
        """A folder with the package, in which a file was changed."""
        shutil.copytree(PACKAGE, self.folder / "kernbench", ignore=shutil.ignore_patterns("__pycache__"))
        text = (self.folder / "kernbench" / file).read_text()
        self.assertIn(old, text)
        (self.folder / "kernbench" / file).write_text(text.replace(old, new, 1))
        return self.folder

    def test_of_the_package_and_the_examples_are_right(self):
        files = sorted((ROOT / "examples/python").rglob("*.py"))
        package = mypy(PACKAGE)
        self.assertRegex(package, "^Success: no issues found in [0-9]+ source files\n$")
        self.assertEqual(mypy(*files), f"Success: no issues found in {len(files)} source files\n")

    def test_mypy_notices_a_wrong_one(self):
        folder = self.copied("_places.py", "def text(value: Value) -> str:", "def text(value: Value) -> int:")
        self.assertIn("_places.py:", mypy(folder / "kernbench"))
        wrong = self.folder / "user.py"
        wrong.write_text("import kernbench\nkernbench.load().run(7)\n")
        self.assertIn('user.py:2: error: Argument 1 to "run" of "Topology" has incompatible type "int"', mypy(wrong))

    def test_the_stub_names_what_the_module_has(self):
        self.assertEqual(stubtest(PACKAGE.parent), "Success: no issues found in 1 module\n")
        found = parameters((PACKAGE / "_native.pyi").read_text())
        self.assertGreater(len(found), 15)
        self.assertEqual(found, {name: runtime_parameters(name) for name in found})

    def test_the_stub_of_kernels_is_made_of_the_signatures_of_the_module(self):
        self.assertEqual(stubtest(PACKAGE.parent, module="kernbench._language"), "Success: no issues found in 1 module\n")
        settings = self.folder / "mypy.ini"
        settings.write_text(SETTINGS.read_text() + "[mypy-kernbench.*]\nignore_errors = True\n")
        folder = self.copied("_language.pyi", "def load(self, source: TensorRef)", "def load(self, target: TensorRef)")
        self.assertIn("kernbench._language.Tl.load is inconsistent", stubtest(folder, settings, "kernbench._language"))

    def test_help_has_the_time_of_operations(self):
        self.assertEqual(kernbench.Tl.load.__doc__, "Copies a matrix from memory to the TCM, by the DMA.\n\n"
                         "Shapes: the tile has the rows, columns and type of source.\nErrors: unmapped memory; a full TCM.\n"
                         "Time: command + dma + tlb_overhead + access.")
        self.assertEqual(str(inspect.signature(kernbench.Tl.arange)), "(self, /, columns, type, first=0.0)")

    def test_help_of_every_operation_is_complete(self):
        operations = {name: getattr(kernbench.Tl, name) for name in dir(kernbench.Tl) if not name.startswith("_") and name != "accumulator_bytes"}
        self.assertGreater(len(operations), 50)
        untimed = {"program_id", "num_programs", "ref", "trans", "part", "buffer", "wait", "iload", "istore", "icomposite", "irecv", "irecv_into"}
        for name, operation in operations.items():
            with self.subTest(name):
                text = operation.__doc__
                sections = dict(re.findall(r"^(Shapes|Errors|Time): (.+?)\.$", text, re.MULTILINE))
                self.assertTrue(text.split("\n")[0].endswith("."), text)
                self.assertEqual(set(sections), {"Shapes", "Errors", "Time"} - ({"Time"} if name in untimed else set()), text)
                if name not in untimed:
                    self.assertRegex(sections["Time"], r"command|ipcq|tiles|as math")
        self.assertIn("terms of the times", kernbench.Tl.__doc__)
        for term in ("command", "dma", "tlb_overhead", "access", "fetch", "put", "math", "gemm", "ipcq", "cpu"):
            self.assertIn(term, kernbench.Tl.__doc__)

    def test_a_file_of_a_user_passes_mypy_strict(self):
        page = (ROOT / "docs/python.md").read_text()
        user = self.folder / "user.py"
        user.write_text("""from typing import Any

import kernbench
import numpy
from kernbench import Context, TensorView, Tl


@kernbench.kernel
def scale(tl: Tl, x: TensorView, y: TensorView, factor: float) -> None:
    mine, out = x.local(tl), y.local(tl)
    for row in range(0, mine.rows, 64):
        tile = tl.load(mine.block(row, 0, 64, mine.columns))
        tl.store(out.block(row, 0, 64, out.columns), tl.exp(tile) * factor)


@kernbench.bench("scale", "y = factor exp(x)", rows=(1024, "rows of x"), factor=2.0)
def run(torch: Context, rows: int, factor: float) -> None:
    values = numpy.random.default_rng(1).random((rows, 256), numpy.float32)
    x, y = torch.tensor(values), torch.tensor(shape=(rows, 256))
    with torch.measure("scale"):
        torch.launch(scale, x, y, factor)

    def expected() -> Any:
        return numpy.exp(values) * factor

    torch.expect("y", torch.read(y), expected)
""")
        self.assertIn("def scale(tl, x, y, factor):", page)  # the same bench without types
        strict = output("mypy", "--strict", "--python-version", "3.11", user, folder=self.folder)
        self.assertEqual(strict, "Success: no issues found in 1 source file\n")

    def test_a_kernel_with_a_wrong_type_is_found(self):
        wrong = self.folder / "user.py"
        wrong.write_text("import kernbench\n\n@kernbench.kernel\ndef k(tl: kernbench.Tl, x: kernbench.TensorView) -> None:\n    tl.load(x)\n")
        self.assertIn('user.py:5: error: Argument 1 to "load" of "Tl" has incompatible type "TensorView"; expected "TensorRef"', mypy(wrong))

    def test_stubtest_notices_a_name_too_many_and_one_too_few(self):
        settings = self.folder / "mypy.ini"
        settings.write_text(SETTINGS.read_text() + "[mypy-kernbench.*]\nignore_errors = True\n")  # of those who use the name
        said = stubtest(self.copied("_native.pyi", "def maze_nodes(", "def maze_node("), settings)
        self.assertIn("kernbench._native.maze_node is not present at runtime", said)
        self.assertIn("kernbench._native.maze_nodes is not present in stub", said)
        self.assertEqual(parameters("class A:\n    def f(self, x: int, y: int, /) -> None: ...\ndef g() -> int: ...\n"), {"A.f": 2, "g": 0})

    def test_all_public_names_are_listed(self):
        public = {name for name in vars(kernbench) if not name.startswith("_")}
        self.assertEqual(public, set(kernbench.__all__))
        for name in public:
            self.assertTrue(getattr(kernbench, name).__doc__, name)


if __name__ == "__main__":
    unittest.main(verbosity=2)
