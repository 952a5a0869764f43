# SPDX-License-Identifier: Apache-2.0
"""What NOC_ROUTER owes to every flit, at the parameters that a proof takes: rules, sources, and the joins of its proof.

noc/router_proof.sv states the contract and an invariant, which hold together by induction. network.py proves it with the
parts of MAZE_NODE.
"""

RULES = {
    "NOC_ROUTER": {
        "reset": "In reset nothing leaves, and no credit returns.",
        "conserved": "A flit that leaves its FIFO stands at one output, an output sends one flit, and its credit returns.",
        "unchanged": "A flit leaves unchanged, behind those that came before it by the same input VC.",
        "route": "A head leaves by a VC of the output class that the table names.",
        "unmixed": "The flits of an output VC are those of one packet from its head to its tail.",
        "overflow": "No receiver gets a flit for which it has no slot.",
        "works": "An output sends if a flit can leave through it.",
        "head_waits": "A head at the front of an input VC sees at most PI * V - 1 other heads granted to its output class.",
        "vc_waits": "An output VC that has a flit and a credit waits at most V - 1 cycles.",
        "invariant": "The state is one of those from which the other rules follow.",
    },
    "NOC_NODE": {
        "reset": "In reset no credit returns.",
        "flits": "A flit is at the router D cycles after it was at the port, and nothing else is.",
        "credits": "A credit is at the port D cycles after the router returned it, and nothing else is.",
        "sum": "As many flits and credits are on the way as entered the link and did not leave it.",
    },
}
PROOFS = {"NOC_ROUTER": "../noc/router_proof.sv", "NOC_NODE": "../noc/link_proof.sv"}
FILES = ("noc_queue.sv", "noc_output.sv", "noc_router.sv", "noc_link_rules.sv")
# (PI, PO, V, M, B). The first are those of the shipped topologies of the zoo.
SHAPES = ((1, 2, 1, 1, 2), (1, 3, 1, 1, 2), (2, 1, 1, 1, 2), (2, 2, 1, 1, 2), (2, 2, 2, 1, 2), (2, 2, 3, 1, 2), (3, 1, 1, 1, 2),
          (3, 3, 1, 1, 2), (3, 3, 2, 1, 2), (3, 3, 3, 1, 2), (3, 4, 3, 1, 2), (4, 3, 3, 1, 2), (4, 4, 1, 1, 2), (4, 4, 2, 1, 2),
          (5, 5, 1, 1, 2), (5, 5, 2, 1, 2), (7, 7, 1, 1, 2), (15, 15, 1, 1, 2),
          (3, 3, 1, 1, 4), (3, 3, 2, 1, 4), (3, 3, 4, 2, 2))
# Register stages of the links that are proven.
DEPTHS = (0, 1, 2, 3)
# Slots at which a network of one's own is proven.
PROVEN_SLOTS = 2
# A few that `make test` proves.
FAST_SHAPES = ((2, 2, 2, 1, 2),)
# Input VCs up to which a search looks for a cycle in which a rule decides; beyond, the cycle is too far away.
COVERED = 6


def bits(values):
    return max(1, (values - 1).bit_length())


def label(shape):
    return "pi{}.po{}.v{}.m{}.b{}".format(*shape)


def defines(shape):
    """The macros of the proof. A flit has head, tail, a bit of payload and the class that a head wants."""
    inputs, outputs, vcs, lanes, slots = shape
    key = bits(outputs * vcs // lanes)
    return (("NOC_CHECKERS", 1), ("KB_PI", inputs), ("KB_PO", outputs), ("KB_V", vcs), ("KB_M", lanes), ("KB_B", slots), ("KB_W", 3 + key),
            ("KB_VW", bits(vcs)), ("KB_KW", key))


def slice_of(signal, index, width, count):
    """The element `index` of a signal of `count` elements."""
    if width * count == 1:
        return signal
    return f"{signal}[{index}]" if width == 1 else f"{signal}[{index * width + width - 1}:{index * width}]"


def joins(values):
    """Pairs (signal of router_proof.sv, flop of the router) of what its invariant speaks about."""
    inputs, outputs, vcs, slots = (values[name] for name in ("KB_PI", "KB_PO", "KB_V", "KB_B"))
    rows, classes = inputs * vcs, vcs // values["KB_M"]
    pairs = []
    for i in range(rows):
        queue = f"dut.g_in[{i}].u_queue."
        pairs += [(slice_of("full", i, 1, rows), queue + "vld_q"),
                  (slice_of("from_slot", i, bits(slots), rows), queue + "read_q"),
                  (slice_of("to_slot", i, bits(slots), rows), queue + "write_q")]
        pairs += [(slice_of("slots", i * slots + k, values["KB_W"], rows * slots), f"{queue}slots_q[{k}]") for k in range(slots)]
    for o in range(outputs):
        output = f"dut.g_out[{o}].u_output."
        pairs += [(slice_of("search", o, classes * rows, outputs), output + "from_q"),
                  (slice_of("turn", o, vcs, outputs), output + "turn_q"),
                  (slice_of("owner", o, vcs * rows, outputs), output + "owner_q"),
                  (slice_of("count", o, vcs * slots.bit_length(), outputs), output + "count_q")]
    return [*pairs, ("grant", "dut.grant")]


def link_defines(depth):
    """The macros of the proof of a link."""
    return (("NOC_CHECKERS", 1), ("KB_D", depth), ("KB_V", 2), ("KB_W", 5), ("KB_VW", 1))


def link_joins():
    """Pairs (signal of link_proof.sv, wire of the node) between the link and the router."""
    return [("there_valid", "dut.valid"), ("there_vc", "dut.vc"), ("there_flit", "dut.flit"), ("there_credit", "dut.credit")]


def files(rtl, module="NOC_ROUTER"):
    """The sources of a module in the folder `rtl`; none where it has the MAZE alone."""
    if not (rtl / "noc").is_dir():
        return []
    around = [rtl / name for name in ("irs_half.sv", "irs_lp.sv", "irs_n.sv")] + [rtl / "noc/noc_node.sv"]
    return [*(rtl / "noc" / name for name in FILES), *(around if module == "NOC_NODE" else [])]


def is_covered(values):
    """Whether covers are looked for."""
    return values["KB_PI"] * values["KB_V"] <= COVERED
