# SPDX-License-Identifier: Apache-2.0
"""Draws small SystemVerilog modules over the constructs that the structure check reads.

Each module has the ports clk, rst_n, a (8 bits) and o (8 bits). Every variable is set before it is
read and every register has a reset, so that its outputs are a function of what a was since then.
"""

import random

PACKAGE = """
package drawn_pkg;
  typedef enum logic [1:0] {E0, E1, E2, E3} kind_t;
  typedef struct packed { logic [1:0] hi; logic mid; logic lo; } quad_t;
  typedef union packed { quad_t q; logic [3:0] v; } either_t;
  localparam logic [3:0] TABLE [4] = '{4'h1, 4'h6, 4'h8, 4'hb};
  function automatic logic [1:0] first_of(input logic [3:0] x);
    for (int i = 0; i < 4; i++) if (x[i]) return 2'(i);
    return 2'd3;
  endfunction
  function automatic logic odd_of(input logic [3:0] x, input logic y);
    logic p;
    p = y;
    foreach (x[i]) begin
      if (!x[i]) continue;
      if (i == 1 && y) break;
      p = !p;
    end
    return p;
  endfunction
  function logic same_of(input logic x, input logic y);
    if (x) return y; else return 1'b1;
  endfunction
  task automatic split(input logic [3:0] x, output logic [1:0] h, inout logic [1:0] l);
    h = x[3:2];
    if (l[0]) l = x[1:0];
  endtask
endpackage
module drawn_sub #(parameter int W = 2) (input logic [W-1:0] x, input logic en,
                                         output logic [W-1:0] y);
  for (genvar i = 0; i < W; i++) begin : g_bit
    if (i % 2 == 0) begin : g_even
      assign y[i] = en ? x[i] : 1'b0;
    end else begin : g_odd
      assign y[i] = x[i] ^ x[i-1];
    end
  end
endmodule
"""

# Variables of a drawn module by name, with their widths.
SCALARS = {"p": 1, "q": 1, "r": 1, "s": 2, "t": 3, "u": 4, "w": 8}


class Drawn:
    def __init__(self, rng, inputs, registers):
        self.rng = rng
        self.inputs = inputs  # bits of `a` that are used
        self.registers = registers
        self.loops = []
        self.depth = 0

    def pick(self, *choices):
        return self.rng.choice(choices)

    def bit(self):
        """Returns an expression of one bit that is cheap, so that equal ones are often drawn."""
        choice = self.rng.randrange(12)
        if choice < 5:
            return f"a[{self.rng.randrange(self.inputs)}]"
        if choice < 8:
            return self.pick("p", "q", "r", "s[0]", "t[1]", "u[3]", "w[5]")
        if choice == 8:
            return self.pick("1'b0", "1'b1")
        if choice == 9:
            return f"quad.{self.pick('mid', 'lo', 'hi[1]')}"
        if choice == 10 and self.loops:
            return f"u[{self.loops[-1]} % 4]"
        if self.registers:
            return self.pick("f_q", "g_q[1]", "g_q[0]")
        return f"!a[{self.rng.randrange(self.inputs)}]"

    def word(self):
        """Returns an operand of some bits."""
        pool = ["s", "t", "u", "w", "quad", "either.v", "mem[s]", "mem[2]", "pack2[s[0]]", "lanes[p]",
                f"a[{self.inputs - 1}:1]", "a[2:0]", "w[4:1]", "u[s +: 1]", "w[t +: 2]",
                "w[3'(t | 3'd1) -: 2]", "TABLE[s]", "kind", "{p, q}", "{2{s}}", "4'd5", "3'd0", "2'b10"]
        if self.registers:
            pool += ["g_q", "m_q[s]", "m_q[g_q]"]
        return self.rng.choice(pool)

    def expr(self, depth=2):
        """Returns an expression of any width."""
        if depth == 0 or self.rng.random() < 0.2:
            return self.bit() if self.rng.random() < 0.6 else self.word()
        a = self.expr(depth - 1)
        b = self.expr(depth - 1)
        forms = [
            lambda: f"({a} {self.pick('&', '|', '^', '~^')} {b})",
            lambda: f"({a} {self.pick('&&', '||')} {b})",
            lambda: f"({a} {self.pick('+', '-', '*', '/', '%')} {b})",
            lambda: f"({a} {self.pick('==', '!=', '<', '<=', '>', '>=', '===', '!==')} {b})",
            lambda: f"($signed({a}) {self.pick('<', '<=', '>', '>=', '+', '*')} $signed({b}))",
            lambda: f"(4'({a}) {self.pick('<<', '>>', '<<<')} 2'({b}))",
            lambda: f"($signed(4'({a})) >>> 2'({b}))",
            lambda: f"({self.bit()} ? {a} : {b})",
            lambda: f"(({a}) ? {b} : {self.bit()})",
            lambda: f"({self.pick('~', '!', '&', '|', '^', '-', '~&', '~^')}({a}))",
            lambda: f"{{{self.bit()}, {self.width(a)}, {self.bit()}}}",
            lambda: f"{{{self.rng.randrange(1, 3)}{{{self.width(a)}}}}}",
            lambda: f"{self.rng.randrange(1, 6)}'({a})",
            lambda: f"(4'({a}) inside {{{self.rng.randrange(16)}, [{self.rng.randrange(8)}:"
                    f"{self.rng.randrange(8, 16)}]}})",
            lambda: f"(4'({a}) ==? 4'b{''.join(self.rng.choice('01xx') for _ in range(4))})",
            lambda: f"$countones(4'({a}))",
            lambda: f"$onehot(3'({a}))",
            lambda: f"first_of(4'({a}))",
            lambda: f"odd_of(4'({a}), {self.bit()})",
            lambda: f"same_of(1'({a}), {self.bit()})",
            lambda: f"local_of(2'({a}), 1'({b}))",
            lambda: f"unsigned'(4'({a}))",
            lambda: f"either_t'(4'({a}))",
            lambda: f"{{<<{{4'({a})}}}}" if False else f"(4'({a}))",
        ]
        return self.rng.choice(forms)()

    def width(self, text):
        return f"{self.rng.randrange(1, 5)}'({text})"

    def target(self):
        pool = ["p", "q", "r", "s", "t", "u", "w", "s[0]", "t[2:1]", "w[7:4]", "u[s]", "w[t]",
                "w[t +: 2]", "w[s*2 +: 2]", "w[2'(s*3) +: 2]", "w[t+3'd5]",
                "quad", "quad.hi", "quad.lo", "quad.hi[q]", "either.q.mid", "either.v", "mem[s]",
                "mem[1]", "mem[s][q]", "pack2[p]", "pack2[p][1]", "lanes[0]", "lanes[s[1]]",
                "{p, q}", "{s, r}", "{t[0], u}", "kind_bits"]
        return self.rng.choice(pool)

    def statement(self, depth):
        draw = self.rng.random()
        self.depth += 1
        try:
            if depth == 0 or draw < 0.35:
                return self.simple()
            if draw < 0.60:
                return self.branch(depth)
            if draw < 0.74:
                return self.case(depth)
            if draw < 0.88:
                return self.loop(depth)
            return "begin\n" + self.block(depth - 1, 3) + "end\n"
        finally:
            self.depth -= 1

    def simple(self):
        choice = self.rng.randrange(14)
        if choice == 0:
            return f"split(4'({self.expr(1)}), s, kind_bits);\n"
        if choice == 1:
            return f"w {self.pick('+=', '-=', '^=', '&=', '|=', '<<=')} {self.expr(1)};\n"
        if choice == 2:
            return f"u{self.pick('++', '--')};\n"
        if choice == 3:
            return f"mix({self.bit()});\n"
        if choice == 4 and self.loops:
            return f"if ({self.bit()}) {self.pick('break', 'continue')};\n"
        if choice in (5, 6, 7):
            return f"{self.pick('p', 'q', 'r')} = {self.pick(chr(49) + chr(39) + 'b0', chr(49) + chr(39) + 'b1', self.bit())};\n"
        return f"{self.target()} = {self.expr()};\n"

    def block(self, depth, most):
        return "".join(self.statement(depth) for _ in range(self.rng.randrange(1, most + 1)))

    def branch(self, depth):
        text = f"if ({self.expr(1)}) begin\n{self.block(depth - 1, 2)}end\n"
        if self.rng.random() < 0.5:
            text += f"else begin\n{self.block(depth - 1, 2)}end\n"
        return text

    def case(self, depth):
        kind = self.pick("case", "casez", "unique case", "priority case", "inside", "one")
        if kind == "one":
            text = "case (1'b1)\n"
            for _ in range(self.rng.randrange(1, 4)):
                text += f"{self.bit()}: begin\n{self.block(depth - 1, 2)}end\n"
            return text + f"default: {self.simple()}endcase\n"
        subject = self.pick("s", "2'(t)", "a[1:0]", "{p, q}")
        start = f"case ({subject}) inside\n" if kind == "inside" else f"{kind} ({subject})\n"
        labels = ["2'd0", "2'd1", "2'd2", "2'd3"]
        if kind == "casez":
            labels = ["2'b0?", "2'b?1", "2'd2", "2'b1?"]
        if kind == "inside":
            labels = ["[0:1]", "2'd1, 2'd3", "2'd2", "2'd0"]
        self.rng.shuffle(labels)
        text = start
        full = kind not in ("casez", "inside") and self.rng.random() < 0.4
        for label in labels[: 4 if full else self.rng.randrange(1, 4)]:
            text += f"{label}: begin\n{self.block(depth - 1, 2)}end\n"
        if not full or self.rng.random() < 0.3:
            jump = self.loops and self.rng.random() < 0.2
            text += "default: " + ("break;\n" if jump else self.simple())
        return text + "endcase\n"

    def loop(self, depth):
        if len(self.loops) >= 2:
            return self.simple()
        name = f"i{len(self.loops)}"
        count = self.rng.randrange(1, 5)
        kind = self.rng.randrange(4)
        self.loops.append(name)
        body = self.block(depth - 1, 3)
        if self.rng.random() < 0.5:
            body += f"if ({self.bit()}) {self.pick('break', 'continue')};\n" + self.simple()
        self.loops.pop()
        if kind == 0:
            return f"foreach (u[{name}]) begin\n{body}end\n"
        if kind == 1 and not self.loops:
            # The counter first: a `continue` must not leave it out.
            return (f"n = 0;\nwhile (n < {count}) begin\nautomatic int {name};\n{name} = n;\n"
                    f"n = n + 1;\n{body}end\n")
        if kind == 2:
            return f"for (int {name} = {count - 1}; {name} >= 0; {name}--) begin\n{body}end\n"
        return f"for (int {name} = 0; {name} < {count}; {name}++) begin\n{body}end\n"

    def module(self, name):
        rng = self.rng
        functions = f"""
  function automatic logic [1:0] local_of(input logic [1:0] x, input logic y);
    logic [1:0] z;
    z = x;
    if ({self.pick('x[0]', 'y', 'x == 2', 'x[1] && y')}) return {self.pick('x', '2d1'.replace('2d', "2'd"), '{y, x[0]}')};
    if ({self.pick('x[1]', '!y', 'x != 1')}) return {self.pick("2'd1", 'z', "{1'b0, y}")};
    else if ({self.pick('y', 'x[0]')}) return {self.pick("2'd1", "2'd0", 'x')};
    z = {self.pick('z + 1', '~z', '{z[0], y}')};
    return z;
  endfunction
"""
        comb = self.block(3, 6)
        start = "".join(f"    {v} = {self.pick(chr(39) + '0', f'{w}' + chr(39) + '(a)', f'{w}' + chr(39) + '(a >> 1)')};\n"
                        for v, w in SCALARS.items())
        start += "    quad = 4'(a); either.v = '0; n = 0; kind_bits = 2'(a);\n"
        start += "    for (int k = 0; k < 4; k++) mem[k] = 2'(a >> k);\n"
        start += "    pack2 = 4'(a); lanes = '0;\n"
        memory = self.pick("[0:3]", "[3:0]", "[4]")
        state = ""
        if self.registers:
            state = f"""
  logic f_q;
  logic [1:0] g_q;
  logic [1:0] m_q {self.pick('[0:3]', '[3:0]')};
  always_ff @(posedge clk or negedge rst_n) begin : b_state
    logic old;
    if (!rst_n) begin
      f_q <= 1'b0; g_q <= '0; old = 1'b0;
      for (int k = 0; k < 4; k++) m_q[k] <= '0;
    end else begin
      {self.pick('f_q <= old;', 'f_q <= p;', 'if (q) f_q <= p; else f_q <= old;')}
      old = {self.pick('a[0]', 'p', 'f_q ^ q')};
      if ({self.pick('p', 'q', 'a[0]', 'g_q == 3')}) g_q <= {self.pick('s', 'g_q + 1', 't[1:0]')};
      {self.pick('', f'else if ({self.bit()}) g_q <= 0;')}
      {self.pick('m_q[g_q] <= s;', 'if (q) m_q[s] <= t[1:0];', 'm_q[s][p] <= q;')}
    end
  end
"""
        more = ""
        result = rng.choice(["w", "{u, t, p}", "{q, s, r, u}", "8'({t, s, p})", "{quad, u}",
                             "{mem[0], mem[1], mem[2], mem[3]}", "{either.v, pack2}",
                             "{lanes, s, p, q}", "{kind_bits, t, s, r}"])
        if rng.random() < 0.25:
            more = f"""
  logic [3:0] sub;
  drawn_sub u_sub {self.pick('[1:0]', '[0:1]')} (.x(u), .en({self.pick('p', '{p, q}', 'q')}), .y(sub));
"""
            result = "{sub, u[1:0], p, q}"
        elif rng.random() < 0.15:
            more = """
  logic [3:0] sub;
  drawn_sub #(.W(4)) u_sub (.x({t, p}), .en(q), .y({sub[1:0], sub[3:2]}));
"""
            result = "{sub, s, p, r}"
        if self.registers and rng.random() < 0.7:
            result = rng.choice(["{f_q, g_q, m_q[s], p, q, r}", "{m_q[0], m_q[3], g_q, f_q, p}",
                                 "{m_q[g_q], w[5:0]}"])
        return f"""
module {name} import drawn_pkg::*; (input logic clk, input logic rst_n, input logic [7:0] a,
                                    output logic [7:0] o);
  logic p, q, r;
  logic [1:0] s, kind_bits;
  logic [2:0] t;
  logic [3:0] u;
  logic [7:0] w;
  quad_t quad;
  either_t either;
  logic [1:0] mem {memory};
  logic [1:0][1:0] pack2;
  logic [1:0] lanes;
  kind_t kind;
  int n;
  assign kind = kind_t'(a[1:0]);
{state}{functions}
  task automatic mix(input logic x);
    if (x) begin p = q; q = s[0]; end else r = p;
  endtask
  always_comb begin
{start}{comb}  end
{more}
  assign o = {result};
endmodule
"""


def draw(seed, numbers):
    """Returns the text of the modules with these numbers, and a top that has them in this order."""
    text = [PACKAGE]
    top = []
    for at, k in enumerate(numbers):
        rng = random.Random(f"{seed} {k}")
        registers = rng.random() < 0.3
        text.append(Drawn(rng, 4 if registers else 8, registers).module(f"m{k}"))
        top.append(f"  m{k} u_m{k} (.clk, .rst_n, .a, .o(o[{8 * at} +: 8]));\n")
    text.append(f"module drawn_top (input logic clk, input logic rst_n, input logic [7:0] a,\n"
                f"                  output logic [{8 * len(numbers) - 1}:0] o);\n{''.join(top)}endmodule\n")
    return "".join(text)
