# SPDX-License-Identifier: Apache-2.0
"""Replays pins that record_pins wrote on Verilog-2005 in Icarus Verilog, and compares every cycle."""

import dataclasses
import pathlib
import re
import subprocess

BENCH = """`timescale 1ns / 1ps
module bench;
  reg clk = 0, rst_n;
  reg [{last_in}:0] in;
  wire [{last_out}:0] out;
  reg [{last_out}:0] want, counts;
  integer file, cycle = 0, bits = 0, at, fields;
  {top} dut (
{pins}
  );
  initial begin
    file = $fopen("{rows}", "r");
    for (fields = $fscanf(file, "%b %h %h %h", rst_n, in, want, counts); fields == 4;
         fields = $fscanf(file, "%b %h %h %h", rst_n, in, want, counts)) begin
      #4;
      for (at = 0; at <= {last_out}; at = at + 1) if (counts[at]) begin
        bits = bits + 1;
        if (out[at] !== want[at]) begin
          $display("FAIL %0d %0d %b %b", cycle, at, out[at], want[at]);
          $finish;
        end
      end
      #1 clk = 1;
      #5 clk = 0;
      cycle = cycle + 1;
    end
    $display("PASS %0d %0d", cycle, bits);
    $finish;
  end
endmodule
"""


@dataclasses.dataclass
class Result:
    cycles: int
    bits: int = 0    # that were compared
    failure: str = ""  # "PORT[BIT] is 0, not 1"


def run(*command, cwd):
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          check=False, cwd=cwd)
    if done.returncode != 0:
        raise RuntimeError(f"{command[0]} failed with {done.returncode}:\n{done.stdout}")
    return done.stdout


def replay(plain, top, pins, folder):
    """Replays a file of pins on the module `top` of the file `plain`. folder: for the bench."""
    header, rows = pathlib.Path(pins).read_text().split("pins\n", 1)
    (folder / "rows").write_text(rows)
    size, names, lines = {"in": 0, "out": 0}, [], [".clk(clk)", ".rst_n(rst_n)"]
    for line in header.splitlines():
        way, name, value = line.split()
        if way == "fixed":
            lines.append(f".{name}({value})")
            continue
        first = size[way]
        size[way] += int(value)
        lines.append(f".{name}({way}[{size[way] - 1}:{first}])")
        if way == "out":
            names += [f"{name}[{bit}]" for bit in range(int(value))]
    (folder / "bench.v").write_text(BENCH.format(last_in=size["in"] - 1, last_out=size["out"] - 1, top=top, rows="rows",
                                                 pins=",\n".join(f"    {line}" for line in lines)))
    run("iverilog", "-g2005", "-o", "bench", "bench.v", pathlib.Path(plain).resolve(), cwd=folder)
    said = run("vvp", "-n", "bench", cwd=folder)
    passed = re.search(r"^PASS (\d+) (\d+)$", said, re.MULTILINE)
    if passed:
        return Result(int(passed[1]), int(passed[2]))
    cycle, bit, seen, want = re.search(r"^FAIL (\d+) (\d+) (.) (.)$", said, re.MULTILINE).groups()
    return Result(int(cycle), failure=f"{names[int(bit)]} is {seen}, not {want}")
