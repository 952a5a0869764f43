// SPDX-License-Identifier: Apache-2.0
// MAZE_EXPAND and its contract, judged at its ports. A bit for each node says which copies are still to come.
//
// The signals without a driver are flops of the expansion; formal/network.py connects them.
module proof_top (
  input  logic clk, rst_n, start_i, step_i,
  input  logic [1:0] type_i,
  input  logic [`KB_AX+`KB_AY-1:0] tgt_i, pg_node_i,
  output logic broken_copies, seen_copies,
  output logic broken_last,   seen_last,
  output logic broken_busy,   seen_busy,
  output logic broken_behind, broken_any
);

  localparam int NX = `KB_NX;
  localparam int NY = `KB_NY;
  localparam int AX = `KB_AX;
  localparam int AY = `KB_AY;
  localparam int N  = NX * NY;

  logic run, judged, misused;
  judged_cycles u_judged (.clk, .rst_n, .misused, .run, .judged);

  // The failed node does not change.
  logic started_q;
  logic [AY+AX-1:0] pg_node_q;
  initial started_q = 1'b0;
  always @(posedge clk) begin
    started_q <= 1'b1;
    if (~started_q) pg_node_q <= pg_node_i;
  end

  logic [AY+AX-1:0] tgt_o;
  logic last_o, busy_o;
  MAZE_EXPAND #(.NX(NX), .NY(NY), .AX(AX), .AY(AY)) dut (
    .clk, .rst_n(run), .pg_node_i(pg_node_q), .start_i, .type_i, .tgt_i, .step_i, .tgt_o, .last_o, .busy_o
  );
  wire       copying;  // flops of dut
  wire [1:0] copy_type;

  // The nodes that a packet names, by number: a column (type 1), a row (2) or all (3), but for the failed one.
  // Of all nodes also: those from the current copy on, and that copy's own.
  logic [N-1:0] named, above, here, owed_q;
  logic [1:0] type_q;
  logic [AY+AX-1:0] tgt_q;
  wire busy = owed_q != '0;
  wire [1:0] kind = busy ? type_q : type_i;
  wire [AY+AX-1:0] target = busy ? tgt_q : tgt_i;
  for (genvar y = 0; y < NY; y++) begin : g_y
    for (genvar x = 0; x < NX; x++) begin : g_x
      wire works = pg_node_q != {y[AY-1:0], x[AX-1:0]};
      assign named[y*NX + x] = works & (kind != 2'b01 | target[AX-1:0] == x)
                                     & (kind != 2'b10 | target[AY+AX-1:AX] == y);
      assign above[y*NX + x] = {y[AY-1:0], x[AX-1:0]} >= tgt_o;
      assign here[y*NX + x]  = {y[AY-1:0], x[AX-1:0]} == tgt_o;
    end
  end
  wire [N-1:0] later = owed_q & (owed_q - 1);  // without the first
  wire one_left = later == '0;

  // A packet comes when the one before is done, its target is a node, and a step takes a copy.
  assign misused = start_i & busy | step_i & ~busy
                 | (start_i | busy) & (kind == 2'b00 | target[AX-1:0] >= NX | target[AY+AX-1:AX] >= NY)
                 | pg_node_q[AX-1:0] >= NX | pg_node_q[AY+AX-1:AX] >= NY;
  always_ff @(posedge clk or negedge run) begin
    if (!run)         owed_q <= '0;
    else if (start_i) owed_q <= named;
    else if (step_i)  owed_q <= later;
    else              owed_q <= owed_q;
  end
  always_ff @(posedge clk) begin
    if (start_i) begin
      type_q <= type_i;
      tgt_q  <= tgt_i;
    end
  end

  assign broken_copies = judged & busy & here != (owed_q & ~later);
  assign seen_copies   = judged & busy & named != owed_q & ~one_left;

  assign broken_last = judged & busy & last_o != one_left;
  assign seen_last   = judged & busy & last_o & named != owed_q;

  assign broken_busy = judged & busy_o != (start_i | busy & ~(step_i & one_left));
  assign seen_busy   = judged & busy & ~busy_o;

  // With this the rules hold by induction over one cycle: from the copy on, all that the packet names are owed.
  assign broken_behind = judged & (busy & (owed_q != (named & above) | copy_type != type_q) | busy != copying);
  assign broken_any    = broken_copies | broken_last | broken_busy | broken_behind;

endmodule
