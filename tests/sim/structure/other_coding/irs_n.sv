// SPDX-License-Identifier: Apache-2.0
// One flat module in Verilog style: a delay line of valids in front of a circular buffer.
module IRS_N #(parameter PYLD_W = 23, parameter IRS_DEEP = 1, parameter TYPE_NO_READY = 0, parameter TYPE_HALF = 0, parameter TYPE_RO_EN = 1)
 (input clk, input rst_n, input valid_i, output reg ready_o, input [PYLD_W-1:0] payload_i, output reg valid_o, input ready_i, output reg [PYLD_W-1:0] payload_o);
  generate if (IRS_DEEP == 0) begin : g_wire
    always @* begin ready_o = ready_i; valid_o = valid_i; payload_o = payload_i; end
  end else begin : g_fifo
    localparam int CAP = 2 * IRS_DEEP;
    localparam int PW = $clog2(CAP) + 1;
    reg [CAP*PYLD_W-1:0] mem;
    reg [PYLD_W-1:0] mem2 [0:CAP-1];
    reg [PW-1:0] wp, rp; reg [PW:0] cnt;
    reg [IRS_DEEP-1:0] dly;
    integer k;
    wire push = valid_i & ready_o, pop = valid_o & ready_i;
    function automatic [PW-1:0] inc(input [PW-1:0] p); if (p == CAP - 1) return '0; return p + 1'b1; endfunction
    always @(posedge clk or negedge rst_n)
      if (~rst_n) begin wp <= 0; rp <= 0; cnt <= 0; for (k = 0; k < IRS_DEEP; k = k + 1) dly[k] <= 1'b0; end
      else begin
        if (push) wp <= inc(wp);
        if (pop) rp <= inc(rp);
        cnt <= cnt + push - pop;
        dly[0] <= push; for (k = 1; k < IRS_DEEP; k = k + 1) dly[k] <= dly[k-1];
      end
    always @(posedge clk) if (push) begin mem[wp * PYLD_W +: PYLD_W] <= payload_i; mem2[wp] <= payload_i; end
    always_comb begin
      ready_o = cnt < CAP; valid_o = dly[IRS_DEEP-1] | (cnt > 1);
      payload_o = (TYPE_RO_EN == 1) ? mem[rp * PYLD_W +: PYLD_W] : mem2[rp];
      case (cnt) 0: valid_o = 1'b0; 1: begin end default: valid_o = 1'b1; endcase
    end
  end endgenerate
endmodule
