// SPDX-License-Identifier: Apache-2.0
// Three NOC_NODEs in a row, 0 -> 1 -> 2, whose links have D0 (into node 0), D1 (0 -> 1) and D2 (1 -> 2)
// register stages. Every figure is stated from the contract alone: 2 + D cycles for each router, and
// B flits of a VC in each 4 + 2D cycles of a link.
`timescale 1ns / 1ps
module timing_bench #(
  parameter D0 = 0,
  parameter D1 = 1,
  parameter D2 = 2,
  parameter B  = 3,
  parameter M  = 1
);
  localparam W = 12;
  localparam N = 3;
  localparam V = 2;
  localparam KW = M == 1 ? 2 : 1;   // two outputs
  localparam KW2 = M == 1 ? 1 : 1;  // the last node has the local output alone

  reg clk = 1'b0;
  reg rst_n = 1'b0;
  integer cycle = 0;
  integer errors = 0;

  reg a_valid = 1'b0;
  reg a_vc = 1'b0;
  reg [W-1:0] a_flit = 0;
  wire [V-1:0] a_credit, c01_credit, c12_credit;
  wire v01, v12, b0_valid, b1_valid, b_valid;
  wire vc01, vc12, b0_vc, b1_vc, b_vc;
  wire [W-1:0] f01, f12, b0_flit, b1_flit, b_flit;
  wire [V-1:0] unused1;
  reg [V-1:0] b_credit = 0;

  // Entries by input VC and destination: o*C + class. Output 0 is the channel, output 1 local.
  wire [V*N*KW-1:0] table0;
  wire [2*V*N*KW-1:0] table1;
  wire [2*V*N*KW2-1:0] table2;
  genvar i, d;
  generate
    for (i = 0; i < 2 * V; i = i + 1) begin : g_entry
      localparam CLASS = M == 1 ? i % V : 0;
      for (d = 0; d < N; d = d + 1) begin : g_dst
        if (i < V) assign table0[(i*N + d)*KW+:KW] = (d == 0 ? 1 : 0) * V / M + CLASS;
        assign table1[(i*N + d)*KW+:KW] = (d == 1 ? 1 : 0) * V / M + CLASS;
        assign table2[(i*N + d)*KW2+:KW2] = CLASS;
      end
    end
  endgenerate

  NOC_NODE #(.PI(1), .PO(2), .V(V), .B(B), .W(W), .N(N), .M(M), .D(D0)) u_node0 (
    .clk(clk), .rst_n(rst_n), .table_i(table0), .valid_i(a_valid), .vc_i(a_vc), .flit_i(a_flit),
    .credit_o(a_credit), .valid_o({b0_valid, v01}), .vc_o({b0_vc, vc01}), .flit_o({b0_flit, f01}),
    .credit_i({2'b00, c01_credit}));
  NOC_NODE #(.PI(2), .PO(2), .V(V), .B(B), .W(W), .N(N), .M(M), .D(D1)) u_node1 (
    .clk(clk), .rst_n(rst_n), .table_i(table1), .valid_i({1'b0, v01}), .vc_i({1'b0, vc01}),
    .flit_i({{W{1'b0}}, f01}), .credit_o({unused1, c01_credit}), .valid_o({b1_valid, v12}),
    .vc_o({b1_vc, vc12}), .flit_o({b1_flit, f12}), .credit_i({2'b00, c12_credit}));
  wire [V-1:0] unused2;
  NOC_NODE #(.PI(2), .PO(1), .V(V), .B(B), .W(W), .N(N), .M(M), .D(D2)) u_node2 (
    .clk(clk), .rst_n(rst_n), .table_i(table2), .valid_i({1'b0, v12}), .vc_i({1'b0, vc12}),
    .flit_i({{W{1'b0}}, f12}), .credit_o({unused2, c12_credit}), .valid_o(b_valid),
    .vc_o(b_vc), .flit_o(b_flit), .credit_i(b_credit));

  always #5 clk = ~clk;

  task check(input integer seen, input integer expected, input [8*24-1:0] name);
    if (seen !== expected) begin
      $display("%0s in cycle %0d, expected %0d", name, seen, expected);
      errors = errors + 1;
    end
  endtask

  // Inputs change and outputs are read in the middle of a cycle.
  task next;
    begin
      @(negedge clk);
      cycle = cycle + 1;
      a_valid = 1'b0;
      b_credit = b_valid ? 2'b01 << b_vc : 2'b00;
    end
  endtask

  task send(input vc, input head, input tail, input [W-3:0] data);
    begin
      a_valid = 1'b1;
      a_vc = vc;
      a_flit = {head, tail, data};
    end
  endtask

  // A packet of two flits on an idle network: when each arrives, and when the credits return.
  integer sent, first, last, returned;
  task alone(input vc, input [1:0] dst);
    integer routers, depth, seen_valid;
    begin
      routers = dst + 1;
      depth = D0 + (dst > 0 ? D1 : 0) + (dst > 1 ? D2 : 0);
      first = -1;
      last = -1;
      returned = -1;
      next;
      send(vc, 1'b1, 1'b0, {8'h5, dst});
      sent = cycle;
      next;
      send(vc, 1'b0, 1'b1, 10'h2a9);
      repeat (2 * routers + depth + 20) begin
        next;
        seen_valid = dst == 0 ? b0_valid : dst == 1 ? b1_valid : b_valid;
        if (seen_valid && (dst == 0 ? b0_vc : dst == 1 ? b1_vc : b_vc) !== vc && M == 1) begin
          $display("VC %b, expected %b", ~vc, vc);
          errors = errors + 1;
        end
        if (seen_valid && first < 0) begin
          first = cycle;
          if ((dst == 0 ? b0_flit : dst == 1 ? b1_flit : b_flit) !== {2'b10, 8'h5, dst}) errors = errors + 1;
        end else if (seen_valid) begin
          last = cycle;
          if ((dst == 0 ? b0_flit : dst == 1 ? b1_flit : b_flit) !== {2'b01, 10'h2a9}) errors = errors + 1;
        end
        if (a_credit[vc] && returned < 0) returned = cycle;
      end
      check(first, sent + 2 * routers + depth, "the head arrives");
      if (B > 1) check(last, first + 1, "the tail arrives");
      // Granted in 1 + D0 after it was sent, the credit leaves in the next cycle and takes D0 more.
      check(returned, sent + 2 + 2 * D0, "the first credit returns");
    end
  endtask

  // A long packet, as fast as its credits let it: B flits in each credit loop of the longest link.
  integer credits, number, loop;
  task stream(input integer length);
    integer k, loop0;
    integer arrived [0:255];
    begin
      credits = B;
      number = 0;
      k = 0;
      while (k < length && cycle < 10000) begin
        next;
        if (number < length && credits > 0) begin
          send(1'b0, number == 0, number == length - 1, number == 0 ? 10'd2 : number[9:0]);
          number = number + 1;
          credits = credits - 1;
        end
        // Counted at the edge, so that it is used in the next cycle at the earliest.
        if (a_credit[0]) credits = credits + 1;
        if (b_valid) begin
          if (k > 0 && b_flit[W-3:0] !== k[9:0]) errors = errors + 1;
          arrived[k] = cycle;
          k = k + 1;
        end
      end
      // The sender sees a credit 2 + 2*D0 behind its flit and reacts in the next cycle: 3 + 2*D0.
      loop0 = 3 + 2 * D0;
      loop = 4 + 2 * (D1 > D2 ? D1 : D2);
      if (loop < loop0) loop = loop0;
      if (loop < B) loop = B;
      // Behind the start, each flit is one loop behind the flit B before it.
      for (k = length - 2 * B; k < length; k = k + 1)
        check(arrived[k] - arrived[k-B], loop, "B flits take");
    end
  endtask

  initial begin
    repeat (3) next;
    rst_n = 1'b1;
    next;
    if (a_credit !== 0 || v01 !== 0 || v12 !== 0 || b_valid !== 0 || c01_credit !== 0) begin
      $display("an output is not 0 after reset");
      errors = errors + 1;
    end
    alone(1'b0, 2'd2);
    alone(1'b1, 2'd2);
    rst_n = 1'b0;
    next;
    rst_n = 1'b1;
    alone(1'b0, 2'd1);
    rst_n = 1'b0;
    next;
    rst_n = 1'b1;
    alone(1'b1, 2'd0);
    stream(60);
    if (errors != 0) $display("FAIL %0d errors", errors);
    else $display("PASS D %0d %0d %0d, B %0d, M %0d: %0d cycles to node 2, loop %0d", D0, D1, D2, B, M, 6 + D0 + D1 + D2, loop);
    $finish;
  end
endmodule
