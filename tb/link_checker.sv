// The contract of one IRS_N, judged by its parameters and ports alone.
//
// It looks at the falling edge, when every signal has the value that the next rising edge will sample.
// A queue holds what entered and has not left, so each packet must leave in order, unchanged, and
// neither before IRS_DEEP cycles have passed nor (for IRS_LP) later than a chain of skid stages allows.
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

  // The sender's side: what was refused is offered again. Nobody can break that behind TYPE_NO_READY.
  logic              refused_q;
  logic [PYLD_W-1:0] offered_q;
  rules_t            input_broken;

  always_comb begin
    input_broken = '0;
    input_broken.input_valid_stable   = refused_q & ~valid_i;
    input_broken.input_payload_stable = refused_q & valid_i & (payload_i !== offered_q);
  end

  always_ff @(negedge clk or negedge rst_n) begin
    if (!rst_n) begin
      refused_q <= 1'b0;
    end else begin
      refused_q <= valid_i & ~ready_o;
      if (input_broken != '0) report_all($sformatf("%m"), input_broken);
    end
  end
  always_ff @(negedge clk) offered_q <= payload_i;

  if (IRS_DEEP == 0) begin : g_wires
    rules_t broken;

    always_comb begin
      broken = '0;
      broken.wires = (valid_o !== valid_i) | (ready_o !== ready_i) | (payload_o !== payload_i);
    end
    always_ff @(negedge clk) begin
      if (broken != '0) report_all($sformatf("%m"), broken);
    end
  end else if (TYPE_NO_READY) begin : g_pipeline
    // A shift register: stalls change nothing and lose packets.
    logic [IRS_DEEP-1:0]             vld_q;
    logic [IRS_DEEP-1:0][PYLD_W-1:0] pyld_q;
    rules_t broken;
    logic   unused_ready;

    assign unused_ready = ready_i;
    always_comb begin
      broken = '0;
      broken.ready_when_empty = ~ready_o;
      broken.too_early        = valid_o & ~vld_q[IRS_DEEP-1];
      broken.too_late         = ~valid_o & vld_q[IRS_DEEP-1];
      broken.order = valid_o & vld_q[IRS_DEEP-1] & (payload_o !== pyld_q[IRS_DEEP-1]);
    end
    always_ff @(negedge clk or negedge rst_n) begin
      if (!rst_n) begin
        vld_q <= '0;
      end else begin
        vld_q  <= IRS_DEEP'({vld_q, valid_i});
        if (broken != '0) report_all($sformatf("%m"), broken);
      end
    end
    always_ff @(negedge clk) pyld_q <= (IRS_DEEP * PYLD_W)'({pyld_q, payload_i});
  end else begin : g_queue
    localparam int unsigned Capacity = TYPE_HALF ? IRS_DEEP : 2 * IRS_DEEP;
    // Packets that may be inside while the first stage still has to be ready.
    localparam int unsigned Room = TYPE_HALF ? 1 : 2;
    localparam int unsigned PtrW = $clog2(Capacity + 1);
    localparam int unsigned AgeW = (IRS_DEEP > 1) ? IRS_DEEP - 1 : 1;

    typedef logic [PtrW-1:0] ptr_t;

    logic [PYLD_W-1:0] queue_q [2**PtrW];
    ptr_t              head_q, tail_q;   // next to leave, next to enter
    ptr_t              entered_q;        // where tail_q was IRS_DEEP - 1 cycles ago
    logic              stalled_q;
    rules_t            broken;
    ptr_t              stored;
    logic              match, arrived, push, pop;

    if (IRS_DEEP > 1) begin : g_age
      ptr_t age_q [AgeW];
      always_ff @(negedge clk or negedge rst_n) begin
        for (int i = 0; i < AgeW; i++) begin
          if (!rst_n)      age_q[i] <= '0;
          else if (i == 0) age_q[i] <= tail_q;
          else             age_q[i] <= age_q[i-1];
        end
      end
      assign entered_q = age_q[AgeW-1];
    end else begin : g_no_age
      assign entered_q = tail_q;
    end

    assign stored  = tail_q - head_q;
    assign push    = valid_i & ready_o & (stored != ptr_t'(Capacity));
    assign pop     = valid_o & ready_i & (stored != '0);
    assign arrived = entered_q != head_q;
    assign match   = payload_o === queue_q[head_q];

    always_comb begin
      broken = '0;
      broken.output_valid_stable   = stalled_q & ~valid_o;
      broken.output_payload_stable = stalled_q & valid_o & ~match;
      broken.ready_when_empty      = ~ready_o & (stored < ptr_t'(Room));
      broken.overflow              = ready_o & valid_i & (stored == ptr_t'(Capacity));
      broken.underflow             = valid_o & (stored == '0);
      broken.too_early             = valid_o & (stored != '0) & ~arrived;
      broken.too_late              = ~valid_o & ~stalled_q & arrived & ~TYPE_HALF;
      broken.order                 = valid_o & ~stalled_q & (stored != '0) & ~match;
    end

    always_ff @(negedge clk or negedge rst_n) begin
      if (!rst_n) begin
        head_q    <= '0;
        tail_q    <= '0;
        stalled_q <= 1'b0;
      end else begin
        head_q    <= head_q + ptr_t'(pop);
        tail_q    <= tail_q + ptr_t'(push);
        stalled_q <= valid_o & ~ready_i;
        if (broken != '0) report_all($sformatf("%m"), broken);
      end
    end
    always_ff @(negedge clk) if (valid_i) queue_q[tail_q] <= payload_i;
  end

endmodule
