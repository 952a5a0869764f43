# SPDX-License-Identifier: Apache-2.0
"""Replays pins that record_pins wrote on Verilog-2005 in Icarus Verilog or Verilator, and compares every cycle."""

import dataclasses
import pathlib
import re
import subprocess

BENCH = """`timescale 1ns / 1ps
module bench;
  reg clk = 0, rst_n = 1;  // so that the first reset is an edge in Verilator, too
  reg [{last_in}:0] in;
  wire [{last_out}:0] out;
  reg [{last_out}:0] want, counts;
  reg [3:0] all_rst_n [0:{cycles} - 1];
  reg [{last_in}:0] all_in [0:{cycles} - 1];
  reg [{last_out}:0] all_want [0:{cycles} - 1], all_counts [0:{cycles} - 1];
  integer cycle, bits = 0, at;
  {top} dut (
{pins}
  );
  initial begin
    #1 $readmemh("rst_n", all_rst_n);
    $readmemh("in", all_in);
    $readmemh("want", all_want);
    $readmemh("counts", all_counts);
    for (cycle = 0; cycle < {cycles}; cycle = cycle + 1) begin
      rst_n = all_rst_n[cycle][0];
      in = all_in[cycle];
      want = all_want[cycle];
      counts = all_counts[cycle];
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


def icarus(plain, folder):
    run("iverilog", "-g2005", "-o", "bench", "bench.v", plain, cwd=folder)
    return run("vvp", "-n", "bench", cwd=folder)


def verilator(plain, folder):
    run("verilator", "--binary", "--timing", "-Wno-fatal", "-Wno-lint", "-CFLAGS", "-O1", "--build-jobs", "2", "--Mdir", "obj",
        "--top-module", "bench", "bench.v", plain, cwd=folder)
    return run("obj/Vbench", cwd=folder)


def single_ports(name, pins, width):
    """The pins of MAZE_TOP: the signals of pkt_i and pkt_o of node n are those of pkt_in_n and pkt_out_n. pins: (way, first)."""
    way, first = pins
    port, signal = re.fullmatch(r"pkt_[io]_((?:pkt_in|pkt_out))(_\w+)", name).groups()
    bits = width // 64
    return [f".{port}_{node}_{port}{signal}({way}[{first + (node + 1) * bits - 1}:{first + node * bits}])" for node in range(64)]


def replay(plain, top, pins, folder, simulate=icarus):
    """Replays files of pins, one after the other, on the module `top` of the file `plain`. They have the same pins, and each
    begins in reset. folder: for the bench."""
    texts = [pathlib.Path(file).read_text().split("pins\n", 1) for file in pins]
    header, rows = texts[0][0], "".join(text[1] for text in texts)
    assert all(text[0] == header for text in texts)
    rows = [row.split() for row in rows.splitlines()]
    for name, column in zip(("rst_n", "in", "want", "counts"), zip(*rows)):
        (folder / name).write_text("\n".join(column))
    size, names, lines = {"in": 0, "out": 0}, [], [".clk(clk)", ".rst_n(rst_n)"]
    for line in header.splitlines():
        way, name, value = line.split()
        if way == "fixed":
            if top != "MAZE_TOP" or name != "test_en":  # which MAZE_TOP ties itself
                lines.append(f".{name}({value})")
            continue
        first = size[way]
        size[way] += int(value)
        lines += (single_ports(name, (way, first), int(value)) if top == "MAZE_TOP" else
                  [f".{name}({way}[{size[way] - 1}:{first}])"])
        if way == "out":
            names += [f"{name}[{bit}]" for bit in range(int(value))]
    (folder / "bench.v").write_text(BENCH.format(last_in=size["in"] - 1, last_out=size["out"] - 1, top=top, cycles=len(rows),
                                                 pins=",\n".join(f"    {line}" for line in lines)))
    said = simulate(pathlib.Path(plain).resolve(), folder)
    passed = re.search(r"^PASS (\d+) (\d+)$", said, re.MULTILINE)
    if passed:
        return Result(int(passed[1]), int(passed[2]))
    cycle, bit, seen, want = re.search(r"^FAIL (\d+) (\d+) (.) (.)$", said, re.MULTILINE).groups()
    return Result(int(cycle), failure=f"{names[int(bit)]} is {seen}, not {want}")
