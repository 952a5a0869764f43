// SPDX-License-Identifier: Apache-2.0
interface tiny_if;  // The design is a few lines with what the readers of dumps have to understand.
  logic [1:0] vld;
  logic       rdy [2];
  modport slv (input vld, output rdy);
endinterface

module tiny_stage #(parameter int W = 2) (
  input  logic         clk, rst_n,
  input  logic [W-1:0] d_i,
  output logic [W-1:0] q_o,
  output logic         held_o
);
  typedef struct packed { logic a; logic b; } pair_t;
  pair_t s;
  logic [W-1:0] mem [2];
  logic ptr, half;

  function automatic logic [W-1:0] inverse(input logic [W-1:0] x);
    return ~x;
  endfunction

  always_ff @(posedge clk or negedge rst_n) begin
    if (!rst_n) ptr <= 1'b0;
    else        ptr <= ~ptr;
  end
  always_ff @(posedge clk) mem[ptr] <= inverse(d_i);
  always_ff @(negedge clk) half <= d_i[0];
  always_comb begin
    s = '0;
    for (int i = 0; i < W; i++) s[i] = mem[0][i];
    unique case (ptr)
      1'b0: s.b = d_i[1];
      default: ;
    endcase
  end
  always_latch if (ptr) held_o = s.a;
  assign q_o = {s.a, half};
endmodule

module tiny_core (input logic clk, rst_n, tiny_if.slv port_if [1:0]);
  for (genvar n = 0; n < 2; n++) begin : g_n
    logic [1:0] d;
    logic gate;
    assign d = {port_if[n].vld[0], ~port_if[n].vld[1]};
    assign gate = clk & rst_n;
    if (n == 0) begin : g_kind
      tiny_stage u_stage (.clk, .rst_n, .d_i(d), .q_o({port_if[1].rdy[0], port_if[0].rdy[1]}), .held_o());
    end else begin : g_kind
      tiny_stage u_stage (.clk(gate), .rst_n, .d_i(d), .q_o(), .held_o(port_if[1].rdy[1]));
    end
  end
  assign port_if[1].rdy[1] = g_n[0].d[1];
endmodule

module tiny_top (input logic clk_i, rst_ni, input logic [3:0] v_i, output logic [3:0] r_o);
  tiny_if port_if [1:0] ();
  tiny_core u_core (.clk(clk_i), .rst_n(rst_ni), .port_if(port_if));
  for (genvar n = 0; n < 2; n++) begin : g_n
    assign port_if[n].vld = v_i[2*n+:2];
    assign r_o[2*n+:2]    = {port_if[n].rdy[1], port_if[n].rdy[0]};
  end
endmodule
