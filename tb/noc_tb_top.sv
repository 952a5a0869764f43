// SPDX-License-Identifier: Apache-2.0
// The C++ view of a verilated network of any topology: NOC_TOP with its users' side registered, as in maze_tb_top.sv.
// The number of nodes, virtual channels and bits of a flit are macros.
module noc_tb_top #(
  localparam int unsigned Nodes    = `KB_NODES,
  localparam int unsigned Vcs      = `KB_VCS,
  localparam int unsigned VcW      = Vcs > 1 ? $clog2(Vcs) : 1,
  localparam int unsigned FlitBits = `KB_FLIT_BITS
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  /* verilator tracing_off */  // the network shows the same signals
  input  logic        apply_i,
  input  logic [7:0]  a_valid_i  [Nodes],
  input  logic [7:0]  a_vc_i     [Nodes],
  input  logic [63:0] a_flit_i   [Nodes],
  output logic [63:0] a_credit_o [Nodes],
  output logic [7:0]  b_valid_o  [Nodes],
  output logic [7:0]  b_vc_o     [Nodes],
  output logic [63:0] b_flit_o   [Nodes],
  input  logic [63:0] b_credit_i [Nodes]
);
  logic                a_valid  [Nodes];
  logic [VcW-1:0]      a_vc     [Nodes];
  logic [FlitBits-1:0] a_flit   [Nodes];
  logic [Vcs-1:0]      a_credit [Nodes];
  logic                b_valid  [Nodes];
  logic [VcW-1:0]      b_vc     [Nodes];
  logic [FlitBits-1:0] b_flit   [Nodes];
  logic [Vcs-1:0]      b_credit [Nodes];

  for (genvar n = 0; n < Nodes; n++) begin : g_user
    logic unused_bits;
    assign unused_bits = ^{a_valid_i[n], a_vc_i[n], a_flit_i[n], b_credit_i[n]};
    always_ff @(posedge apply_i or negedge apply_i) begin
      a_valid[n]  <= a_valid_i[n][0];
      a_vc[n]     <= a_vc_i[n][VcW-1:0];
      a_flit[n]   <= a_flit_i[n][FlitBits-1:0];
      b_credit[n] <= b_credit_i[n][Vcs-1:0];
    end
    assign a_credit_o[n] = 64'(a_credit[n]);
    assign b_valid_o[n]  = 8'(b_valid[n]);
    assign b_vc_o[n]     = 8'(b_vc[n]);
    assign b_flit_o[n]   = 64'(b_flit[n]);
  end

  /* verilator tracing_on */
  NOC_TOP u_noc (
    .clk(clk_i), .rst_n(rst_ni),
    .a_valid_i(a_valid), .a_vc_i(a_vc), .a_flit_i(a_flit), .a_credit_o(a_credit),
    .b_valid_o(b_valid), .b_vc_o(b_vc), .b_flit_o(b_flit), .b_credit_i(b_credit)
  );

endmodule
