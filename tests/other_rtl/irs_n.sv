// SPDX-License-Identifier: Apache-2.0
// A link as one circular buffer of 2*IRS_DEEP packets. The receiver sees the write pointer, and the sender the read
// pointer, IRS_DEEP cycles late: in a chain of IRS_DEEP stages a packet, and a free entry, moves one stage a cycle.
module IRS_N #(
  parameter int PYLD_W        = 23,
  parameter int IRS_DEEP      = 1,
  parameter bit TYPE_NO_READY = 1'b0,
  parameter bit TYPE_HALF     = 1'b0,
  parameter bit TYPE_RO_EN    = 1'b1
) (
  input  logic              clk,
  input  logic              rst_n,
  input  logic              valid_i,
  output logic              ready_o,
  input  logic [PYLD_W-1:0] payload_i,
  output logic              valid_o,
  input  logic              ready_i,
  output logic [PYLD_W-1:0] payload_o
);
  if (TYPE_NO_READY || TYPE_HALF || !TYPE_RO_EN) begin : g_unsupported
    $error("this IRS_N has full throughput only");
  end

  if (IRS_DEEP == 0) begin : g_wire
    assign {valid_o, payload_o, ready_o} = {valid_i, payload_i, ready_i};
  end else begin : g_buffer
    localparam int Entries = 2 * IRS_DEEP;
    localparam int IndexW  = $clog2(Entries);
    // The sender sees a free entry this many cycles after its packet left.
`ifdef BUG_EARLY_CREDIT
    localparam int CreditDelay = IRS_DEEP > 1 ? IRS_DEEP - 1 : 1;
`else
    localparam int CreditDelay = IRS_DEEP;
`endif

    // An index, and a bit that changes with every round.
    typedef logic [IndexW:0] pointer_t;

    function automatic pointer_t after(pointer_t p);
      return p[IndexW-1:0] == IndexW'(Entries - 1) ? {~p[IndexW], {IndexW{1'b0}}} : p + pointer_t'(1);
    endfunction

    logic [PYLD_W-1:0] store [Entries];
    pointer_t write_d, write_q, written, read_d, read_q, free;
    logic     push, pop;

    assign push    = valid_i & ready_o;
    assign pop     = valid_o & ready_i;
    assign write_d = push ? after(write_q) : write_q;
    assign read_d  = pop ? after(read_q) : read_q;

    DELAY #(.W(IndexW + 1), .N(1))           u_write   (.clk, .rst_n, .d(write_d), .q(write_q));
    DELAY #(.W(IndexW + 1), .N(1))           u_read    (.clk, .rst_n, .d(read_d),  .q(read_q));
    DELAY #(.W(IndexW + 1), .N(IRS_DEEP))    u_written (.clk, .rst_n, .d(write_d), .q(written));
    DELAY #(.W(IndexW + 1), .N(CreditDelay)) u_free    (.clk, .rst_n, .d(read_d),  .q(free));

    always_ff @(posedge clk) if (push) store[write_q[IndexW-1:0]] <= payload_i;

    assign ready_o   = write_q != {~free[IndexW], free[IndexW-1:0]};
    assign valid_o   = written != read_q;
    assign payload_o = store[read_q[IndexW-1:0]];
  end
endmodule
