# SPDX-License-Identifier: Apache-2.0
"""Times the wire between two nodes: from a flop through repeaters at equal distances to a flop, at the 100 MHz of the links.

A link of depth D is D + 1 such hops of one pitch each. Resistance and capacitance are those of the slowest routed layer, from
the LEF file of the library, which has no coupling between wires; every piece of wire is half its capacitance at each end of
its resistance. The first repeater stands at the flop.
"""

import math

import tools

PITCHES = (1.0, 5.0, 17.0)  # mm; a cube of the shipped topology is 17 mm wide
PIECES = (0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0)  # mm between two repeaters; the fastest is taken
REPEATER, FLOP = "BUFX4", "DFFPOSX1"
LONGEST = 200.0  # mm


def layer_of(library):
    """The name of the slowest layer above the pins."""
    return max((layer for layer in library.wires if layer != "metal1"),
               key=lambda layer: library.wires[layer].kilo_ohms * library.wires[layer].picofarads)


def slack(library, folder, length, repeaters):
    """The setup slack of a hop of `length` mm, in ns, by OpenSTA."""
    folder.mkdir(parents=True, exist_ok=True)
    layer = library.wires[layer_of(library)]
    piece = length / repeaters
    cells = [f"  {FLOP} start (.CLK(clk), .D(d), .Q(n0));",
             *(f"  {REPEATER} r{at} (.A(n{at}), .Y(n{at + 1}));" for at in range(repeaters)),
             f"  {FLOP} finish (.CLK(clk), .D(n{repeaters}), .Q(q));"]
    (folder / "hop.v").write_text("module HOP (clk, d, q);\n  input clk, d;\n  output q;\n"
                                  + "".join(f"  wire n{at};\n" for at in range(repeaters + 1)) + "\n".join(cells) + "\nendmodule\n")
    nets = []
    for at in range(repeaters):
        target = f"r{at + 1}:A" if at + 1 < repeaters else "finish:D"
        half = layer.picofarads * piece / 2
        nets.append(f"*D_NET n{at + 1} {2 * half:.6f}\n*CONN\n*I r{at}:Y O\n*I {target} I\n*CAP\n1 r{at}:Y {half:.6f}\n2 {target} {half:.6f}\n"
                    f"*RES\n1 r{at}:Y {target} {layer.kilo_ohms * piece * 1000:.4f}\n*END\n")
    (folder / "hop.spef").write_text('*SPEF "IEEE 1481-1998"\n*DESIGN "HOP"\n*DATE ""\n*VENDOR ""\n*PROGRAM ""\n*VERSION ""\n'
                                     '*DESIGN_FLOW ""\n*DIVIDER /\n*DELIMITER :\n*BUS_DELIMITER [ ]\n*T_UNIT 1 NS\n*C_UNIT 1 PF\n'
                                     '*R_UNIT 1 OHM\n*L_UNIT 1 HENRY\n\n' + "\n".join(nets))
    (folder / "hop.tcl").write_text(f"""
        read_liberty {library.liberty}
        read_verilog {folder}/hop.v
        link_design HOP
        create_clock -name clk -period {tools.PERIOD} [get_ports clk]
        set_clock_uncertainty -setup {tools.UNCERTAINTY["setup"]} clk
        set_timing_derate -late {tools.LATE}
        read_spef {folder}/hop.spef
        report_checks -path_delay max -from [get_pins start/CLK] -digits 3
        exit
    """)
    said = tools.run("sta", "-no_splash", "-exit", folder / "hop.tcl")
    paths = tools.paths_of(said)
    if "clk" not in paths:
        raise tools.ToolFailure(f"{library.name}: OpenSTA times no path of a hop:\n{said.strip()}")
    return paths["clk"][0]


def measure(library, folder):
    """The slack and repeaters of a bit at each pitch, and the pitch at which 100 MHz is lost. None without a LEF file, or
    without the cells of a hop."""
    if not library.wires or not {REPEATER, FLOP} <= library.areas.keys():
        return None
    long = 12.0
    piece = max(PIECES, key=lambda one: slack(library, folder, long, round(long / one)))

    def at(pitch):
        repeaters = max(1, math.ceil(pitch / piece))
        return {"pitch_mm": pitch, "repeaters": repeaters, "setup_ns": slack(library, folder, pitch, repeaters)}

    low, high = 0.1, LONGEST
    while high - low > 0.05:
        middle = (low + high) / 2
        low, high = (middle, high) if at(middle)["setup_ns"] >= 0 else (low, middle)
    name = layer_of(library)
    layer = library.wires[name]
    return {"library": library.name, "layer": name, "ohms_per_mm": round(layer.kilo_ohms * 1000, 1),
            "pf_per_mm": round(layer.picofarads, 4), "piece_mm": piece,
            "pitches": [at(pitch) for pitch in PITCHES], "lost_at_mm": round(low, 1)}
