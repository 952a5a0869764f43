// SPDX-License-Identifier: Apache-2.0
// A node of the MAZE with plain ports. Port i of an input or output is X link i, then Y link i, and
// last A or B. The position is an input, so that all nodes are one module.
module MAZE_CORE #(
  parameter int NX         = 8,
  parameter int NY         = 8,
  parameter int FLIT_W     = 8,
  parameter int AX         = 3,
  parameter int AY         = 3,
  parameter int HIGH_BOUND = 16,
  parameter bit FIXED      = 1'b0,
  parameter int P          = NX + NY - 1,
  parameter int W          = 3 + 2 * (AX + AY) + FLIT_W  // {type, qos, src, tgt, data}
) (
  input  logic               clk,
  input  logic               rst_n,
  input  logic [AX-1:0]      x_i,
  input  logic [AY-1:0]      y_i,
  input  logic               pg_en_i,
  input  logic [AY+AX-1:0]   pg_node_i,
  input  logic [P-1:0]       valid_i,
  output logic [P-1:0]       ready_o,
  input  logic [P*W-1:0]     payload_i,
  output logic [P-1:0]       valid_o,
  input  logic [P-1:0]       ready_i,
  output logic [P*W-1:0]     payload_o
);

  localparam int AddrW = AX + AY;
  localparam int A     = P - 1;

  logic [P*W-1:0] low, high;                            // heads by input
  logic [P*P-1:0] low_request, high_request;            // by input, then output
  logic [P*P-1:0] low_grant, high_grant;                // by output, then input; 0 where none leads
  logic [P-1:0]   stage_ready;                          // output stages

  for (genvar i = 0; i < P; i++) begin : g_in
    localparam int Kind = i < NX - 1 ? 0 : i < A ? 1 : 2;
    logic [1:0]     valid, pop, last;
    logic [W-1:0]   low_head, high_head;
    logic [P-1:0]   low_to, high_to, low_taken, high_taken;
    logic           hold;

    MAZE_QUEUE #(.PYLD_W(W)) u_queue (
      .clk, .rst_n, .hold_i(hold),
      .valid_i(valid_i[i]), .ready_o(ready_o[i]), .qos_i(payload_i[i*W + W-3]),
      .payload_i(payload_i[i*W+:W]),
      .valid_o(valid), .pop_i(pop), .low_o(low_head), .high_o(high_head)
    );

    if (i == A) begin : g_expand
      logic low_multi, high_multi, copy_last;
      logic [AddrW-1:0] copy_tgt;
      assign low_multi  = pg_en_i & valid[0] & (low_head[W-1-:2] != 2'b00);
      assign high_multi = pg_en_i & valid[1] & (high_head[W-1-:2] != 2'b00);
      MAZE_EXPAND #(.NX(NX), .NY(NY), .AX(AX), .AY(AY)) u_expand (
        .clk, .rst_n, .pg_node_i,
        .start_i(pg_en_i & valid_i[i] & ready_o[i] & (payload_i[i*W + W-1-:2] != 2'b00)),
        .type_i(payload_i[i*W + W-1-:2]), .tgt_i(payload_i[i*W + FLIT_W+:AddrW]),
        .step_i((low_multi & last[0]) | (high_multi & last[1])),
        .tgt_o(copy_tgt), .last_o(copy_last), .busy_o(hold)
      );
      // A copy carries the target of its own.
      assign low[i*W+:W]  = {low_head[W-1:FLIT_W+AddrW],
                             low_multi ? copy_tgt : low_head[FLIT_W+:AddrW], low_head[FLIT_W-1:0]};
      assign high[i*W+:W] = {high_head[W-1:FLIT_W+AddrW],
                             high_multi ? copy_tgt : high_head[FLIT_W+:AddrW], high_head[FLIT_W-1:0]};
      assign pop = last & ~({high_multi, low_multi} & {2{~copy_last}});
    end else begin : g_plain
      assign low[i*W+:W]  = low_head;
      assign high[i*W+:W] = high_head;
      assign hold         = 1'b0;
      assign pop          = last;
    end

    MAZE_ROUTE #(.NX(NX), .NY(NY), .AX(AX), .AY(AY), .KIND(Kind)) u_low_route (
      .x_i, .y_i, .pg_en_i, .pg_node_i,
      .type_i(low[i*W + W-1-:2]), .tgt_i(low[i*W + FLIT_W+:AddrW]), .to_o(low_to)
    );
    MAZE_ROUTE #(.NX(NX), .NY(NY), .AX(AX), .AY(AY), .KIND(Kind)) u_high_route (
      .x_i, .y_i, .pg_en_i, .pg_node_i,
      .type_i(high[i*W + W-1-:2]), .tgt_i(high[i*W + FLIT_W+:AddrW]), .to_o(high_to)
    );
    for (genvar o = 0; o < P; o++) begin : g_taken
      assign low_taken[o]  = low_grant[o*P + i];
      assign high_taken[o] = high_grant[o*P + i];
    end
    MAZE_FORK #(.P(P)) u_low_fork (
      .clk, .rst_n, .valid_i(valid[0]), .to_i(low_to), .request_o(low_request[i*P+:P]),
      .grant_i(low_taken), .last_o(last[0])
    );
    MAZE_FORK #(.P(P)) u_high_fork (
      .clk, .rst_n, .valid_i(valid[1]), .to_i(high_to), .request_o(high_request[i*P+:P]),
      .grant_i(high_taken), .last_o(last[1])
    );
  end

  for (genvar o = 0; o < P; o++) begin : g_out
    // Inputs that lead to this output: Y links and A to X (behind a detour), X links and A to Y, all to B.
    localparam bit ToX   = o < NX - 1;
    localparam bit ToY   = !ToX && o < A;
    localparam int N     = ToX ? NY : ToY ? NX : P;
    localparam int First = ToX ? NX - 1 : 0;
    localparam int Last  = ToY ? NX - 2 : A;  // before A
    logic [N-1:0] low_wants, high_wants, low_wins, high_wins;
    logic         grant;
    logic [W-1:0] payload;

    for (genvar i = 0; i < P; i++) begin : g_input
      if ((i >= First && i <= Last) || i == A) begin : g_leads
        localparam int Slot = i == A ? N - 1 : i - First;
        assign low_wants[Slot]      = low_request[i*P + o];
        assign high_wants[Slot]     = high_request[i*P + o];
        assign low_grant[o*P + i]  = low_wins[Slot];
        assign high_grant[o*P + i] = high_wins[Slot];
      end else begin : g_never
        assign low_grant[o*P + i]  = 1'b0;
        assign high_grant[o*P + i] = 1'b0;
      end
    end
    MAZE_ARBITER #(.N(N), .HIGH_BOUND(HIGH_BOUND), .FIXED(FIXED)) u_arbiter (
      .clk, .rst_n, .ready_i(stage_ready[o]), .low_i(low_wants), .high_i(high_wants),
      .low_o(low_wins), .high_o(high_wins)
    );
    assign grant = |low_wins | |high_wins;
    always_comb begin
      payload = '0;
      if (grant) begin  // changes nothing; saves simulation time
        for (int j = 0; j < N; j++) begin
          payload = payload
            | ({W{low_wins[j]}} & low[(j == N - 1 ? A : First + j)*W+:W])
            | ({W{high_wins[j]}} & high[(j == N - 1 ? A : First + j)*W+:W]);
        end
      end
    end
    // A packet is offered only while the stage is ready: a grant needs ready.
    IRS_N #(.PYLD_W(W), .IRS_DEEP(1)) u_stage (
      .clk, .rst_n,
      .valid_i(grant), .ready_o(stage_ready[o]), .payload_i(payload),
      .valid_o(valid_o[o]), .ready_i(ready_i[o]), .payload_o(payload_o[o*W+:W])
    );
  end

endmodule
