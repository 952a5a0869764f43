# SPDX-License-Identifier: Apache-2.0
"""Proves by induction over one cycle: an output that is 0 in any state, reachable or not, is 0 in the next cycle too.

Two copies of the gates, one for each cycle, make a circuit without flops. A SAT solver of berkeley-abc looks for inputs
and a state that make the output 0 in the first copy and 1 in the second. When there are none, the step is proven. This
takes seconds where a search for an invariant does not end. The solver is Glucose: that of the command `sat` has no answer
after minutes where Glucose takes a second, as for a router with 15 ports.
"""

import time

import solver


def binary_delta(number):
    """A number as binary AIGER has it: seven bits a byte, the lowest first."""
    data = []
    while number >= 128:
        data.append(number & 127 | 128)
        number >>= 7
    return bytes([*data, number])


class Step:
    """Two cycles of a circuit from any state, as gates without flops."""

    def __init__(self, circuit):
        self.inputs, flops, self.outputs, gates = solver.read_gates(circuit)
        every = [flop for flop, _ in flops] + self.inputs + self.inputs
        names = [2 * (index + 1) for index in range(len(every))]
        self.count = len(every)
        self.gates = []
        self.last = 2 * self.count
        first = {0: 0, **dict(zip(every[:len(flops) + len(self.inputs)], names))}
        self.copy(gates, first)
        second = {0: 0, **dict(zip(self.inputs, names[len(flops) + len(self.inputs):]))}
        second.update({flop: self.get(first, following) for flop, following in flops})
        self.copy(gates, second)
        self.cycles = first, second

    @staticmethod
    def get(values, literal):
        return values[literal & ~1] ^ literal & 1

    def gate(self, left, right):
        self.last += 2
        self.gates.append((self.last, left, right))
        return self.last

    def copy(self, gates, values):
        for gate, left, right in gates:
            values[gate] = self.gate(self.get(values, left), self.get(values, right))

    def at(self, cycle, output):
        """The literal of an output in cycle 0 or 1."""
        return self.get(self.cycles[cycle], self.outputs[output])

    def write(self, path, goal):
        """Writes binary AIGER whose output is the literal `goal`."""
        header = f"aig {self.last // 2} {self.count} 0 1 {len(self.gates)}\n{goal}\n".encode()
        path.write_bytes(header + b"".join(
            binary_delta(gate - max(left, right)) + binary_delta(abs(left - right)) for gate, left, right in self.gates))


def holds(path, limit):
    """Whether the output of the gates in a file is never 1; None without an answer within `limit` seconds."""
    said = solver.run_tool(["timeout", str(limit), "berkeley-abc", "-c", f"&r {path}; &glucose"],
                           accepted=(0, 124))
    if "UNSATISFIABLE" in said:
        return True
    return False if "SATISFIABLE" in said else None


def step_holds(circuit, output, limit, parts, tell):
    """Returns true if `output` is 0 after a cycle in which it was 0; None without an answer within `limit` seconds.
    parts: outputs, at least one of them 1 if `output` is. The solver looks at each alone, in a fraction of the time.
    tell: as prove() has it."""
    goals = [*([part] for part in parts), parts] if parts else [None]
    for at, goal in enumerate(goals):
        tell(f"statement {at + 1} of {len(goals)}")
        step = Step(circuit)
        path = circuit.folder / f"{output}.step.aig"
        if goal and len(goal) == 1:
            literal = step.at(1, goal[0])
        else:  # the output itself, with none of the parts
            literal = step.at(1, output)
            for part in goal or ():
                literal = step.gate(literal, step.at(1, part) ^ 1)
        step.write(path, step.gate(step.at(0, output) ^ 1, literal))
        answer = holds(path, limit)
        if not answer:
            return answer
    return True


def prove(circuit, output, limit=60, parts=(), tell=lambda text: None):
    """Proves that `output` is never 1: neither in the first two cycles, nor after a cycle in which it was 0. parts: as
    step_holds() has them. tell(text) is called with what the solver looks at."""
    start = time.monotonic()
    early = solver.reach(circuit, output, frames=2, limit=limit)
    if early.outcome == "reached":
        return early
    if step_holds(circuit, output, limit, list(parts), tell):
        return solver.Answer("never", 1, time.monotonic() - start, "induction")
    late = solver.reach(circuit, output, solver.SEARCH, limit)
    if late.outcome == "reached":
        return late
    return solver.Answer("undecided", late.frames, time.monotonic() - start, "induction")
