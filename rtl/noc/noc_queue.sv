// SPDX-License-Identifier: Apache-2.0
// The flits of an input VC of NOC_ROUTER: a FIFO of B slots whose front is visible.
//
// Nothing stops a push: the credits of the sender keep the FIFO from overflowing. A pop needs valid_o.
module NOC_QUEUE #(
  parameter int B = 8,
  parameter int W = 32
) (
  input  logic         clk,
  input  logic         rst_n,
  input  logic         push_i,
  input  logic [W-1:0] flit_i,
  output logic         valid_o,
  output logic [W-1:0] flit_o,
  input  logic         pop_i
);

  localparam int SlotW = B > 1 ? $clog2(B) : 1;
  localparam logic [SlotW-1:0] Last = SlotW'(B - 1);

  logic             vld_q;            // the FIFO is not empty
  logic [SlotW-1:0] read_q, write_q;  // equal if the FIFO is empty or full
  logic [SlotW-1:0] read_next, write_next;
  logic [W-1:0]     slots_q [B];

  assign read_next  = read_q == Last ? '0 : read_q + SlotW'(1);
  assign write_next = write_q == Last ? '0 : write_q + SlotW'(1);

  always_ff @(posedge clk or negedge rst_n) begin
    if (!rst_n) begin
      vld_q   <= 1'b0;
      read_q  <= '0;
      write_q <= '0;
    end else begin
      // A pop without a push empties the FIFO if it takes the only flit.
      vld_q   <= push_i | (pop_i ? read_next != write_q : vld_q);
      write_q <= push_i ? write_next : write_q;
      read_q  <= pop_i ? read_next : read_q;
    end
  end

  // Slots need no reset: they are read only while occupied.
  always_ff @(posedge clk) begin
    if (push_i) slots_q[write_q] <= flit_i;
  end

  assign valid_o = vld_q;
  assign flit_o  = slots_q[read_q];

endmodule
