# SPDX-License-Identifier: Apache-2.0
"""Shows that the data of a packet steers nothing in MAZE_CORE, on which the marks of its proof rest.

The gates that ready, valid, type, level and target of an output can ever depend on are followed back to the inputs, over
flops and cycles. No data or source bit of a packet may be among them.
"""

import network
import solver
import tasks
import witness

RULES = {"steering": "Ready, valid, and type, level and target of a packet depend on no data and on no source."}

TOP = """
module proof_top (
  input logic clk, rst_n, pg_en, input logic [{ax}-1:0] x, input logic [{ay}-1:0] y, input logic [{ax}+{ay}-1:0] pg_node,
  input logic [{ports}-1:0] valid, ready, input logic [{ports}*{width}-1:0] payload,
  {outputs}
);
  logic [{ports}-1:0] ready_o, valid_o;
  logic [{ports}*{width}-1:0] payload_o;
  MAZE_CORE #(.NX({nx}), .NY({ny}), .FLIT_W(1), .AX({ax}), .AY({ay})) dut (
    .clk, .rst_n, .x_i(x), .y_i(y), .pg_en_i(pg_en), .pg_node_i(pg_node),
    .valid_i(valid), .ready_o, .payload_i(payload), .valid_o, .ready_i(ready), .payload_o
  );
  {assigns}
endmodule
"""


def inputs_behind(circuit):
    """The inputs that any output can depend on, in any cycle: a set of (name, bit)."""
    inputs, flops, outputs, gates = solver.read_gates(circuit)
    behind = {gate: (left & ~1, right & ~1) for gate, left, right in gates}
    behind.update({flop: (following & ~1,) for flop, following in flops})
    seen, open_ends = set(), [literal & ~1 for literal in outputs.values()]
    while open_ends:
        literal = open_ends.pop()
        if literal not in seen:
            seen.add(literal)
            open_ends += behind.get(literal, ())
    names = witness.read_names(circuit)
    return {pin for index, literal in enumerate(inputs) if literal in seen for pin in names.get(index, ())}


def check(rtl, folder, nx, ny):
    ax, ay = network.address_bits(nx), network.address_bits(ny)
    ports, width = nx + ny - 1, 3 + 2 * (ax + ay) + 1  # {type, qos, src, tgt, data} with one data bit
    header = [*range(1, 1 + ax + ay), *range(width - 3, width)]
    wires = {f"ready_{port}": f"ready_o[{port}]" for port in range(ports)}
    wires.update({f"valid_{port}": f"valid_o[{port}]" for port in range(ports)})
    wires.update({f"header_{port}_{bit}": f"payload_o[{port * width + bit}]" for port in range(ports) for bit in header})
    folder = folder / f"MAZE_CORE.{nx}x{ny}.steering"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "top.sv").write_text(TOP.format(
        nx=nx, ny=ny, ax=ax, ay=ay, ports=ports, width=width, outputs=", ".join(f"output logic {name}" for name in wires),
        assigns="\n  ".join(f"assign {name} = {wire};" for name, wire in wires.items())))
    circuit = solver.build_circuit(folder, [*network.core_files(rtl), folder / "top.sv"], list(wires))
    bits = {bit for name, bit in inputs_behind(circuit) if name == "payload"}
    wrong = sorted(bit for bit in bits if bit % width not in header)
    outcome = "refuted" if wrong else "proven" if len(bits) == ports * len(header) else "vacuous"
    note = f"bit {wrong[0] % width} of a packet at port {wrong[0] // width} steers" if wrong else \
        f"{len(bits)} of {ports * len(header)} header bits steer"
    return [tasks.Result(f"network/MAZE_CORE.{nx}x{ny}/steering", "network", f"MAZE_CORE.{nx}x{ny}", "steering", outcome,
                         "structure", note=note)]


def tasks_of(options, _rules):
    if not (options.rtl / "network").is_dir():  # links alone
        return
    text = tasks.file_text(*network.core_files(options.rtl))
    for nx, ny in ((2, 2),) if options.slice else network.SIZES:
        yield tasks.Task(f"network/MAZE_CORE.{nx}x{ny}.steering", [text],
                         lambda x=nx, y=ny: check(options.rtl, options.work / "circuits", x, y), weight=nx * ny)
