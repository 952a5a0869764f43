# SPDX-License-Identifier: Apache-2.0
"""Checks the structure check: in drawn modules it misses no dependence that exists.

The true dependences are found by evaluating all inputs of the verilated modules, in batches.
Dependences that it reports and that do not exist are allowed, and counted.
"""

import argparse
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

import drawn_modules

HERE = pathlib.Path(__file__).resolve().parent
BITS = 8  # of the input and the output of a module
FLAGS = ["-Wno-fatal", "-Wno-lint", "-Wno-style", "--top-module", "drawn_top", "drawn.sv"]


class Failed(Exception):
    """A program failed; the text has its last errors."""


def run(folder, *command):
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if done.returncode != 0:
        errors = [line for line in done.stderr.splitlines() if "rror" in line] or done.stderr.splitlines()
        raise Failed(f"{command[0]} failed with {done.returncode}:\n" + "\n".join(errors[-20:]))
    return done.stdout


# Verilator 5.006 gives two blocks of some modules one name, and folds some comparisons with x to a number that it cannot write.
UNREAD = re.compile(r"drawn\.sv:(\d+):\d+: (?:Duplicate declaration of block|Unsupported: 4-state numbers in this context)")


FAULT = "Verilator internal fault"  # names no line


def reads(seed, number, folder):
    """Returns whether Verilator reads this module."""
    (folder / "drawn.sv").write_text(drawn_modules.draw(seed, [number]))
    try:
        run(folder, "verilator", "--cc", "--prefix", "Vone", "--Mdir", "one", "-O0", *FLAGS)
    except Failed as error:
        if FAULT not in str(error):
            raise
        return False
    return True


def verilate(seed, numbers, folder):
    """Verilates the modules that Verilator reads, into `model`. Returns their numbers."""
    numbers = list(numbers)
    while True:
        text = drawn_modules.draw(seed, numbers)
        (folder / "drawn.sv").write_text(text)
        try:
            run(folder, "verilator", "--cc", "--exe", "--prefix", "Vdrawn", "--Mdir", "model", "-O0", "--x-assign", "0",
                "--x-initial", "0", "--output-split", "0", "-CFLAGS", f"-std=c++20 -DDRAWN={len(numbers)}", *FLAGS,
                str(HERE / "drawn_truth.cpp"))
            return numbers
        except Failed as error:
            place = UNREAD.search(str(error))
            if place:
                before = "\n".join(text.splitlines()[:int(place[1])])
                numbers.remove(int(re.findall(r"^module m(\d+) ", before, re.MULTILINE)[-1]))
            elif FAULT in str(error):
                numbers = [number for number in numbers if reads(seed, number, folder)]
            else:
                raise


def found_dependences(program, folder):
    """Returns, by module and bit of its output, the mask of the bits of `a` that the check finds."""
    run(folder, "verilator", "--xml-only", "--prefix", "design", "--Mdir", "dump", *FLAGS)
    found = {}
    for line in run(folder, program, "dump/design.xml").splitlines():
        head, _, inputs = line.partition(":")
        module, _, bit = head.split(maxsplit=2)
        if not bit.isdigit():
            sys.exit(f"the structure check does not understand a drawn module: {line}")
        names = [one.split() for one in inputs.split(",") if one.strip()]
        found[module, int(bit)] = sum(1 << int(at) for name, at in names if name == "a")
    return found


def true_dependences(folder):
    """Returns, by module in order, the masks of the bits of `a` that change each bit of the output."""
    run(folder, "make", "-C", "model", "-f", "Vdrawn.mk", "OPT_FAST=-O0", "OPT_SLOW=-O0", "OPT_GLOBAL=-O0")
    return [[int(mask, 16) for mask in line.split()] for line in run(folder, "./model/Vdrawn").splitlines()]


def missed(found, true, numbers):
    """Returns a line for each bit of an output with a dependence that exists and was not found."""
    lines = []
    for number, masks in zip(numbers, true):
        for bit, mask in enumerate(masks):
            lost = mask & ~found.get((f"m{number}", bit), 0)
            if lost:
                lines.append(f"m{number}: o[{bit}] depends on a, mask {mask:02x}; not found: {lost:02x}")
    return lines


def sees_a_missed_dependence(found, true, numbers):
    """Returns true when `missed` reports a dependence that is taken away, and nothing found at all."""
    for number, masks in zip(numbers, true):
        for bit, mask in enumerate(masks):
            if mask:
                less = dict(found)
                less[f"m{number}", bit] &= ~(mask & -mask)
                return len(missed(less, true, numbers)) == 1 and len(missed({}, true, numbers)) > 0
    return False


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True, help="prints the dependences that the check finds")
    parser.add_argument("--count", type=int, required=True)
    parser.add_argument("--batch", type=int, default=250, help="modules that are evaluated in one program")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    options = parser.parse_args()
    if options.count < 1 or options.batch < 1:
        parser.error("--count and --batch must be at least 1")
    print(f"seed {options.seed}", flush=True)
    exist = more = done = first = 0
    lines = []
    while done < options.count:
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            last = first + min(options.batch, options.count - done)
            numbers = verilate(options.seed, range(first, last), folder)
            found = found_dependences(os.path.abspath(options.program), folder)
            true = true_dependences(folder)
        first = last
        if len(true) != len(numbers) or len(found) != len(numbers) * BITS:
            sys.exit(f"{len(true)} modules evaluated and {len(found)} bits checked, expected {len(numbers)} and {len(numbers) * BITS}")
        if not sees_a_missed_dependence(found, true, numbers):
            sys.exit("a dependence that is taken away is not noticed")
        lines += missed(found, true, numbers)
        for number, masks in zip(numbers, true):
            for bit, mask in enumerate(masks):
                exist += bin(mask).count("1")
                more += bin(found[f"m{number}", bit] & ~mask).count("1")
        done += len(numbers)
        if first > 2 * options.count + options.batch:
            sys.exit(f"Verilator reads only {done} of {first} modules")
    print(f"{done} modules: {exist} dependences exist, {len(lines)} outputs with a missed one, {more} more reported; "
          f"{first - done} that Verilator does not read were left out")
    if lines or exist == 0:
        sys.exit("\n".join(lines) or "nothing was compared")


if __name__ == "__main__":
    try:
        main()
    except Failed as error:
        sys.exit(str(error))
