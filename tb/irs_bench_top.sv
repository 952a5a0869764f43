// SPDX-License-Identifier: Apache-2.0
// One instance of IRS_N for every depth and combination of parameters, each with separate ports:
// element n of every array belongs to instance n.
//
//   n           PYLD_W   IRS_DEEP         {TYPE_NO_READY, TYPE_HALF, TYPE_RO_EN}
//     0 .. 135      23   n / 8            n % 8
//   136 .. 159       1   (n - 136) / 8    n % 8
//   160 .. 183      64   (n - 160) / 8    n % 8
//
// KB_IRS_PRIMITIVES adds four 23-bit instances: IRS_HALF with WITH_READY 0 and 1, and IRS_LP with
// RO_EN 0 and 1. An external IRS_N may not have these submodules.
module irs_bench_top #(
  localparam int unsigned Usual  = 17 * 8,  // depths 0 .. 16
  localparam int unsigned Other  = 3 * 8,   // depths 0 .. 2, for each of the other two widths
  localparam int unsigned Chains = Usual + 2 * Other,
`ifdef KB_IRS_PRIMITIVES
  localparam int unsigned Count  = Chains + 4
`else
  localparam int unsigned Count  = Chains
`endif
) (
  input  logic        clk,
  input  logic        rst_n,
  input  logic        valid_i   [Count],
  output logic        ready_o   [Count],
  input  logic [63:0] payload_i [Count],
  output logic        valid_o   [Count],
  input  logic        ready_i   [Count],
  output logic [63:0] payload_o [Count]
);

  for (genvar n = 0; n < Chains; n++) begin : g_chain
    localparam int unsigned First = (n < Usual) ? 0 : (n < Usual + Other) ? Usual : Usual + Other;
    localparam int unsigned PyldW = (n < Usual) ? 23 : (n < Usual + Other) ? 1 : 64;
    logic [PyldW-1:0] payload;

    IRS_N #(
      .PYLD_W       (PyldW),
      .IRS_DEEP     ((n - First) / 8),
      .TYPE_NO_READY(1'((n / 4) % 2)),
      .TYPE_HALF    (1'((n / 2) % 2)),
      .TYPE_RO_EN   (1'(n % 2))
    ) u_irs (
      .clk,
      .rst_n,
      .valid_i  (valid_i[n]),
      .ready_o  (ready_o[n]),
      .payload_i(payload_i[n][PyldW-1:0]),
      .valid_o  (valid_o[n]),
      .ready_i  (ready_i[n]),
      .payload_o(payload)
    );

    assign payload_o[n] = 64'(payload);
  end

`ifdef KB_IRS_PRIMITIVES
  for (genvar i = 0; i < 4; i++) begin : g_primitive
    localparam int unsigned N = Chains + i;
    logic [22:0] payload;

    if (i < 2) begin : g_half
      IRS_HALF #(.PYLD_W(23), .WITH_READY(1'(i % 2))) u_irs (
        .clk,
        .rst_n,
        .valid_i  (valid_i[N]),
        .ready_o  (ready_o[N]),
        .payload_i(payload_i[N][22:0]),
        .valid_o  (valid_o[N]),
        .ready_i  (ready_i[N]),
        .payload_o(payload)
      );
    end else begin : g_lp
      IRS_LP #(.PYLD_W(23), .RO_EN(1'(i % 2))) u_irs (
        .clk,
        .rst_n,
        .valid_i  (valid_i[N]),
        .ready_o  (ready_o[N]),
        .payload_i(payload_i[N][22:0]),
        .valid_o  (valid_o[N]),
        .ready_i  (ready_i[N]),
        .payload_o(payload)
      );
    end

    assign payload_o[N] = 64'(payload);
  end
`endif

endmodule
