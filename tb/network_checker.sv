// SPDX-License-Identifier: Apache-2.0
// Checks of one node of the MAZE network at every rising edge, bound to MAZE_CORE. Each violation is
// reported with node, port and QoS level (0 low, 1 high, 2 neither).
module network_checker #(
  parameter int NX         = 8,
  parameter int NY         = 8,
  parameter int FLIT_W     = 8,
  parameter int AX         = 3,
  parameter int AY         = 3,
  parameter int HIGH_BOUND = 16,
  parameter bit FIXED      = 1'b0,
  parameter int P          = 15,
  parameter int W          = 23
) (
  input logic             clk,
  input logic             rst_n,
  input logic [AX-1:0]    x_i,
  input logic [AY-1:0]    y_i,
  input logic             pg_en_i,
  input logic [AY+AX-1:0] pg_node_i,
  input logic [P-1:0]     valid_i,
  input logic [P-1:0]     ready_o,
  input logic [P*W-1:0]   payload_i,
  input logic [P-1:0]     valid_o,
  input logic [P-1:0]     ready_i,
  input logic [P*W-1:0]   payload_o,
  input logic [P*P-1:0]   low_request,   // by input, then output
  input logic [P*P-1:0]   high_request,
  input logic [P*P-1:0]   low_grant,     // by output, then input
  input logic [P*P-1:0]   high_grant,
  input logic [P-1:0]     stage_ready
);

  import "DPI-C" function void kernbench_network_violation(int node, int port, int level, string rule);

  localparam int A = P - 1;

  function automatic bit along_x(int port);
    return port < NX - 1;
  endfunction

  // Returns the address of the node where the link at an output ends.
  function automatic logic [AY+AX-1:0] end_of(int port);
    if (along_x(port)) return {y_i, AX'((int'(x_i) + port + 1) % NX)};
    return {AY'((int'(y_i) + port - NX + 2) % NY), x_i};
  endfunction

  int node;
  assign node = int'(y_i) * NX + int'(x_i);

  // State at the previous edge. After a reset nothing counts as seen.
  logic             seen_q;
  logic             pg_en_q;
  logic [AY+AX-1:0] pg_node_q;
  logic [P-1:0]     held_q;               // offered to an input and refused
  logic [P*W-1:0]   payload_q;
  logic [P-1:0]     stalled_q;            // offered by an output and refused
  logic [P*W-1:0]   sent_q;
  logic [P*P-1:0]   low_wait_q, high_wait_q;  // requests without a grant, by input, then output
  logic [P*P-1:0]   low_done_q, high_done_q;  // copies granted of a head that owes another
  int               winner_q [2*P];       // last winner of each level of each output; -1 after reset
  int               highs_q [P];          // high grants of an output while a low request waited

  // Heads that owe a copy after this edge.
  logic [P-1:0] low_owes, high_owes;
  for (genvar i = 0; i < P; i++) begin : g_owes
    logic [P-1:0] low_taken, high_taken;
    for (genvar o = 0; o < P; o++) begin : g_taken
      assign low_taken[o]  = low_grant[o*P + i];
      assign high_taken[o] = high_grant[o*P + i];
    end
    assign low_owes[i]  = |(low_request[i*P+:P] & ~low_taken);
    assign high_owes[i] = |(high_request[i*P+:P] & ~high_taken);
  end

  for (genvar o = 0; o < P; o++) begin : g_output
    logic [P-1:0] low_wants, high_wants, low_wins, high_wins;
    for (genvar i = 0; i < P; i++) begin : g_input
      assign low_wants[i]  = low_request[i*P + o];
      assign high_wants[i] = high_request[i*P + o];
    end
    assign low_wins  = low_grant[o*P+:P];
    assign high_wins = high_grant[o*P+:P];

    // Returns the input that a level has to serve: the first behind the last winner that asks.
    function automatic int due(logic [P-1:0] wants, int winner);
      for (int step = 1; step <= P; step++) begin
        int i = FIXED ? step - 1 : (winner + step) % P;
        if (wants[i]) return i;
      end
      return -1;
    endfunction

    always_ff @(posedge clk or negedge rst_n) begin
      if (!rst_n) begin
        winner_q[2*o]   <= -1;
        winner_q[2*o+1] <= -1;
        highs_q[o]      <= 0;
      end else begin
        automatic bit bound = HIGH_BOUND != 0 && highs_q[o] == HIGH_BOUND;
        if (!$onehot0({low_wins, high_wins}))
          kernbench_network_violation(node, o, 2, "two_grants");
        if ((low_wins & ~low_wants) != 0) kernbench_network_violation(node, o, 0, "grant_without_request");
        if ((high_wins & ~high_wants) != 0) kernbench_network_violation(node, o, 1, "grant_without_request");
        if ((|low_wins || |high_wins) && !stage_ready[o])
          kernbench_network_violation(node, o, 2, "grant_without_ready");
        if (stage_ready[o] && (|low_wants || |high_wants) && !(|low_wins || |high_wins))
          kernbench_network_violation(node, o, 2, "no_grant");
        if (|low_wins && |high_wants && !bound) kernbench_network_violation(node, o, 0, "low_before_high");
        if (|high_wins && |low_wants && bound) kernbench_network_violation(node, o, 1, "bound_exceeded");
        if (|low_wins && !low_wins[due(low_wants, winner_q[2*o])])
          kernbench_network_violation(node, o, 0, "turn");
        if (|high_wins && !high_wins[due(high_wants, winner_q[2*o+1])])
          kernbench_network_violation(node, o, 1, "turn");
        for (int i = 0; i < P; i++) begin
          if (low_wins[i]) winner_q[2*o] <= i;
          if (high_wins[i]) winner_q[2*o+1] <= i;
          if (low_wins[i] || high_wins[i]) begin
            if (along_x(i) && along_x(o)) kernbench_network_violation(node, o, 2, "x_to_x");
          end
          // A copy that waits is asked for until it is granted. One that was granted is not asked for again while
          // the head owes another.
          if (seen_q && low_wait_q[i*P + o] && !low_wants[i])
            kernbench_network_violation(node, o, 0, "copy_forgotten");
          if (seen_q && high_wait_q[i*P + o] && !high_wants[i])
            kernbench_network_violation(node, o, 1, "copy_forgotten");
          if (seen_q && low_done_q[i*P + o] && low_wants[i]) kernbench_network_violation(node, o, 0, "copy_repeated");
          if (seen_q && high_done_q[i*P + o] && high_wants[i])
            kernbench_network_violation(node, o, 1, "copy_repeated");
        end
        if (|low_wins || !(|low_wants)) highs_q[o] <= 0;
        else if (|high_wins) highs_q[o] <= highs_q[o] + 1;
        // The output holds what was refused.
        if (seen_q && stalled_q[o] && (!valid_o[o] || payload_o[o*W+:W] != sent_q[o*W+:W]))
          kernbench_network_violation(node, o, 2, "output_not_held");
        if (pg_en_i && valid_o[o] && o != A && end_of(o) == pg_node_i)
          kernbench_network_violation(node, o, 2, "packet_to_failed_node");
      end
    end
  end

  // The user's side of port A, and the pins of the failure.
  logic [1:0]       a_type;
  logic [AX+AY-1:0] a_src, a_tgt;
  assign {a_type, a_src, a_tgt} = {payload_i[A*W + W-1-:2], payload_i[A*W + FLIT_W + AX + AY+:AX+AY],
                                   payload_i[A*W + FLIT_W+:AX+AY]};

  always_ff @(posedge clk or negedge rst_n) begin
    if (!rst_n) begin
      seen_q <= 1'b0;
    end else begin
      seen_q      <= 1'b1;
      pg_en_q     <= pg_en_i;
      pg_node_q   <= pg_node_i;
      held_q      <= valid_i & ~ready_o;
      payload_q   <= payload_i;
      stalled_q   <= valid_o & ~ready_i;
      sent_q      <= payload_o;
      for (int i = 0; i < P; i++) begin
        for (int o = 0; o < P; o++) begin
          low_wait_q[i*P + o]  <= low_request[i*P + o] & ~low_grant[o*P + i];
          high_wait_q[i*P + o] <= high_request[i*P + o] & ~high_grant[o*P + i];
          low_done_q[i*P + o]  <= low_owes[i] & (low_grant[o*P + i] | (seen_q & low_done_q[i*P + o]));
          high_done_q[i*P + o] <= high_owes[i] & (high_grant[o*P + i] | (seen_q & high_done_q[i*P + o]));
        end
        if (seen_q && held_q[i] && !valid_i[i]) kernbench_network_violation(node, i, 2, "valid_withdrawn");
        else if (seen_q && held_q[i] && payload_i[i*W+:W] != payload_q[i*W+:W])
          kernbench_network_violation(node, i, 2, "packet_changed");
      end
      if (seen_q && (pg_en_i != pg_en_q || (pg_en_i && pg_node_i != pg_node_q)))
        kernbench_network_violation(node, A, 2, "failed_node_changed");
      if (valid_i[A]) begin
        if (a_src != {y_i, x_i}) kernbench_network_violation(node, A, 2, "source_of_another_node");
        // Type 00 uses x and y, 01 only x, 10 only y.
        if ((!a_type[1] && int'(a_tgt[AX-1:0]) >= NX) || (!a_type[0] && int'(a_tgt[AX+:AY]) >= NY))
          kernbench_network_violation(node, A, 2, "illegal_address");
        if (pg_en_i && a_type == 2'b00 && a_tgt == pg_node_i)
          kernbench_network_violation(node, A, 2, "packet_to_failed_node");
      end
    end
  end

endmodule

bind MAZE_CORE network_checker #(
  .NX(NX), .NY(NY), .FLIT_W(FLIT_W), .AX(AX), .AY(AY), .HIGH_BOUND(HIGH_BOUND), .FIXED(FIXED), .P(P), .W(W)
) u_checker (.*);
