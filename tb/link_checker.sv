// Checks the contract of one IRS_N from its parameters and ports only.
//
// Samples at the falling edge, when every signal has the value that the next rising edge will sample. A
// queue models the packets inside the link. Each packet must leave in order, unchanged, not before
// IRS_DEEP cycles have passed, and (for IRS_LP) not later than a chain of skid stages allows.
module link_checker #(
  parameter int PYLD_W        = 23,
  parameter int IRS_DEEP      = 1,
  parameter bit TYPE_NO_READY = 1'b0,
  parameter bit TYPE_HALF     = 1'b0
) (
  input logic              clk,
  input logic              rst_n,
  input logic              valid_i,
  input logic              ready_o,
  input logic [PYLD_W-1:0] payload_i,
  input logic              valid_o,
  input logic              ready_i,
  input logic [PYLD_W-1:0] payload_o
);

  import checker_pkg::*;

  // Each branch is one process whose state no other process uses, so it can use blocking assignments,
  // which simulate faster. The violated rules are computed only after a cheaper check has failed.
  if (IRS_DEEP == 0) begin : g_wires
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
        report_all($sformatf("%m"), judge());
      end
      refused = valid_i & ~ready_o & rst_n;
      offered = payload_i;
    end
  end else if (TYPE_NO_READY) begin : g_pipeline
    // A shift register that is always ready. It ignores stalls, which lose packets.
    logic [IRS_DEEP-1:0]             vld;
    logic [IRS_DEEP-1:0][PYLD_W-1:0] pyld;
    logic                            unused_ready;

    assign unused_ready = ready_i;

    function automatic rules_t judge();
      rules_t broken;
      broken = '0;
      broken.ready_when_empty = ~ready_o;
      broken.too_early        = valid_o & ~vld[IRS_DEEP-1];
      broken.too_late         = ~valid_o & vld[IRS_DEEP-1];
      broken.order            = valid_o & vld[IRS_DEEP-1] & (payload_o !== pyld[IRS_DEEP-1]);
      return broken;
    endfunction

    always @(negedge clk or negedge rst_n) begin
      if (!rst_n) begin
        vld = '0;
      end else begin
        if (judge() != '0) report_all($sformatf("%m"), judge());
        vld  = IRS_DEEP'({vld, valid_i});
        pyld = (IRS_DEEP * PYLD_W)'({pyld, payload_i});
      end
    end
  end else begin : g_queue
    localparam int unsigned Capacity = TYPE_HALF ? IRS_DEEP : 2 * IRS_DEEP;
    // With fewer packets than this inside, the first stage must be ready.
    localparam int unsigned Room = TYPE_HALF ? 1 : 2;
    localparam int unsigned PtrW = $clog2(Capacity + 1);

    typedef logic [PtrW-1:0] ptr_t;

    // The link holds the packets from `head` up to, but not including, `tail`. The slot at `tail` is
    // always free and has the packet last offered by the sender.
    logic [PYLD_W-1:0]       queue [2**PtrW];
    ptr_t                    head, tail;
    logic [IRS_DEEP*PtrW-1:0] tails;  // `tail` in this cycle (low bits) and in the previous ones
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
      broken.too_late              = ~valid_o & ~stalled & arrived & ~TYPE_HALF;
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
        // The oldest packet entered IRS_DEEP cycles ago or earlier.
        arrived = tails[(IRS_DEEP-1)*PtrW+:PtrW] != head;
        if ((TYPE_HALF ? (valid_o & ~arrived) | (stalled & ~valid_o) : valid_o != arrived) |
            (valid_o & (payload_o !== queue[head])) |
            (refused & (~valid_i | (payload_i !== queue[tail]))) |
            (ready_o ? valid_i & full : stored < ptr_t'(Room))) begin
          report_all($sformatf("%m"), judge());
        end
        refused = valid_i & ~ready_o;
        stalled = valid_o & ~ready_i;
        if (valid_o & ready_i & (stored != '0)) head = head + ptr_t'(1);
        if (valid_i) queue[tail] = payload_i;
        if (valid_i & ready_o & ~full) tail = tail + ptr_t'(1);
        tails = (IRS_DEEP * PtrW)'({tails, tail});
      end
    end
  end

endmodule
