// SPDX-License-Identifier: Apache-2.0
// Checks one link of the topology, from the output of one node's interface to the input of another's.
//
// DEPTH is what the requirement says about this link, whatever the RTL instantiates there. The checker
// samples at the falling edge, when every signal has the value that the next rising edge will sample. A
// queue models the packets inside the link. Each packet must leave in order, unchanged, and in the first
// cycle in which a chain of DEPTH skid stages can offer it.
module link_checker #(
  parameter int PYLD_W = 23,
  parameter int DEPTH  = 1,
  // The sending end, for reports.
  parameter int NODE   = 0,
  parameter int PORT   = 0
) (
  input logic              clk,
  input logic              rst_n,
  // The sending end.
  input logic              valid_i,
  input logic              ready_o,
  input logic [PYLD_W-1:0] payload_i,
  // The receiving end.
  input logic              valid_o,
  input logic              ready_i,
  input logic [PYLD_W-1:0] payload_o
);

  import checker_pkg::*;

  // Each branch is one process whose state no other process uses, so it can use blocking assignments,
  // which simulate faster. The violated rules are computed only after a cheaper check has failed.
  if (DEPTH == 0) begin : g_wires
    logic              refused;
    logic [PYLD_W-1:0] offered;

    function automatic rules_t judge();
      rules_t broken;
      broken = '0;
      broken.wires = (valid_o !== valid_i) | (ready_o !== ready_i) | (payload_o !== payload_i);
      broken.input_valid_stable   = refused & ~valid_i;
      broken.input_payload_stable = refused & valid_i & (payload_i !== offered);
      return broken;
    endfunction

    always @(negedge clk or negedge rst_n) begin
      if (!rst_n) refused = 1'b0;
      if ((valid_o !== valid_i) | (ready_o !== ready_i) | (payload_o !== payload_i) |
          (refused & (~valid_i | (payload_i !== offered)))) begin
        report_all(NODE, PORT, judge());
      end
      refused = valid_i & ~ready_o & rst_n;
      offered = payload_i;
    end
  end else begin : g_queue
    localparam int unsigned Capacity = 2 * DEPTH;
    // With fewer packets than this inside, the first stage must be ready.
    localparam int unsigned Room = 2;
    localparam int unsigned PtrW = $clog2(Capacity + 1);

    typedef logic [PtrW-1:0] ptr_t;

    // The link holds the packets from `head` up to, but not including, `tail`. The slot at `tail` is
    // always free and has the packet last offered by the sender.
    logic [PYLD_W-1:0]       queue [2**PtrW];
    ptr_t                    head, tail;
    logic [DEPTH*PtrW-1:0]   tails;  // `tail` in this cycle (low bits) and in the previous ones
    ptr_t                    stored;
    logic                    refused, stalled, arrived, full;

    function automatic rules_t judge();
      rules_t broken;
      logic   match;
      match  = payload_o === queue[head];
      broken = '0;
      broken.input_valid_stable    = refused & ~valid_i;
      broken.input_payload_stable  = refused & valid_i & (payload_i !== queue[tail]);
      broken.output_valid_stable   = stalled & ~valid_o;
      broken.output_payload_stable = stalled & valid_o & ~match;
      broken.ready_when_empty      = ~ready_o & (stored < ptr_t'(Room));
      broken.overflow              = ready_o & valid_i & full;
      broken.underflow             = valid_o & (stored == '0);
      broken.too_early             = valid_o & (stored != '0) & ~arrived;
      broken.too_late              = ~valid_o & ~stalled & arrived;
      broken.order                 = valid_o & ~stalled & (stored != '0) & ~match;
      return broken;
    endfunction

    always @(negedge clk or negedge rst_n) begin
      if (!rst_n) begin
        head    = '0;
        tail    = '0;
        tails   = '0;
        refused = 1'b0;
        stalled = 1'b0;
      end else begin
        stored  = tail - head;
        full    = stored == ptr_t'(Capacity);
        // The oldest packet entered DEPTH cycles ago or earlier.
        arrived = tails[(DEPTH-1)*PtrW+:PtrW] != head;
        if ((valid_o != arrived) |
            (valid_o & (payload_o !== queue[head])) |
            (refused & (~valid_i | (payload_i !== queue[tail]))) |
            (ready_o ? valid_i & full : stored < ptr_t'(Room))) begin
          report_all(NODE, PORT, judge());
        end
        refused = valid_i & ~ready_o;
        stalled = valid_o & ~ready_i;
        if (valid_o & ready_i & (stored != '0)) head = head + ptr_t'(1);
        if (valid_i) queue[tail] = payload_i;
        if (valid_i & ready_o & ~full) tail = tail + ptr_t'(1);
        tails = (DEPTH * PtrW)'({tails, tail});
      end
    end
  end

endmodule
