// SPDX-License-Identifier: Apache-2.0
// The arbitration of an output port of NOC_ROUTER. Outputs do not influence each other.
//
// Input VC i is VC i % V of input port i / V. Output class c has the VCs c*M to c*M+M-1. A class
// offers one of the heads that ask for it, round robin, to the first of its VCs that is free and has
// a credit. A VC that a packet holds takes the flits of that packet's input VC alone, up to the tail.
// The output grants one of its VCs that have a flit and a credit, round robin, in each cycle. Both
// searches for a VC start behind the one that the output granted last, so that packets spread over
// the VCs of a class.
module NOC_OUTPUT #(
  parameter int R  = 10,  // input VCs: PI * V
  parameter int V  = 2,
  parameter int B  = 8,
  parameter int M  = 1,
  parameter int C  = V / M,
  parameter int VW = V > 1 ? $clog2(V) : 1
) (
  input  logic           clk,
  input  logic           rst_n,
  input  logic [C*R-1:0] ask_i,    // by class: the input VCs whose front is a head that asks for it
  input  logic [R-1:0]   valid_i,  // the input VCs with a flit
  input  logic [R-1:0]   tail_i,   // those whose front is a tail
  output logic [R-1:0]   grant_o,  // the input VC whose front leaves through this port: one bit or none
  output logic           valid_o,
  output logic [VW-1:0]  vc_o,
  input  logic [V-1:0]   credit_i
);

  localparam int CountW = $clog2(B + 1);

  logic [C*R-1:0]      from_q;   // by class: the input VCs from the start of its search on
  logic [V-1:0]        turn_q;   // the VCs from the start of the search of the output on
  logic [V*R-1:0]      owner_q;  // by VC: the input VC that holds it; 0 where it is free
  logic [V*CountW-1:0] count_q;  // by VC: credits

  logic [C*R-1:0] offer;      // by class: the head that it offers
  logic [V*R-1:0] candidate;  // by VC: the input VC whose flit it would send
  logic [V-1:0]   held, funded, ready, ready_ahead, pick;

  for (genvar c = 0; c < C; c++) begin : g_class
    logic [R-1:0] ahead, taken;
    logic [M-1:0] open, open_ahead, entry;  // VCs that can take a head; the one that does
    assign ahead = ask_i[c*R+:R] & from_q[c*R+:R];
    // The lowest bit that is set.
    assign offer[c*R+:R] = |ahead ? ahead & (~ahead + R'(1)) : ask_i[c*R+:R] & (~ask_i[c*R+:R] + R'(1));
    assign open       = ~held[c*M+:M] & funded[c*M+:M];
    assign open_ahead = open & turn_q[c*M+:M];
    assign entry      = |open_ahead ? open_ahead & (~open_ahead + M'(1)) : open & (~open + M'(1));
    assign taken = |(pick[c*M+:M] & ~held[c*M+:M]) ? offer[c*R+:R] : '0;

    always_ff @(posedge clk or negedge rst_n) begin
      if (!rst_n) from_q[c*R+:R] <= '1;
      // All bits above the granted head; none above the last input VC, so that the search starts at the first.
      else if (|taken) from_q[c*R+:R] <= ~(taken | (taken - R'(1)));
    end

    for (genvar l = 0; l < M; l++) begin : g_lane
      localparam int J = c * M + l;
      logic last;
      assign held[J]   = |owner_q[J*R+:R];
      assign funded[J] = count_q[J*CountW+:CountW] != '0;
      assign candidate[J*R+:R] = held[J] ? owner_q[J*R+:R] & valid_i : entry[l] ? offer[c*R+:R] : '0;
      assign ready[J] = funded[J] & |candidate[J*R+:R];
      assign last     = |(candidate[J*R+:R] & tail_i);

      always_ff @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
          owner_q[J*R+:R]           <= '0;
          count_q[J*CountW+:CountW] <= CountW'(B);
        end else begin
          if (pick[J]) owner_q[J*R+:R] <= last ? '0 : candidate[J*R+:R];
          count_q[J*CountW+:CountW] <= count_q[J*CountW+:CountW] + CountW'(credit_i[J]) - CountW'(pick[J]);
        end
      end
    end
  end

  assign ready_ahead = ready & turn_q;
  assign pick = |ready_ahead ? ready_ahead & (~ready_ahead + V'(1)) : ready & (~ready + V'(1));

  logic [R-1:0]  chosen;  // the input VC whose flit the granted VC sends
  logic [VW-1:0] number;  // of the granted VC
  always @* begin
    chosen = '0;
    number = '0;
    for (int v = 0; v < V; v++) begin
      chosen = chosen | ({R{pick[v]}} & candidate[v*R+:R]);
      number = number | ({VW{pick[v]}} & VW'(v));
    end
  end
  assign grant_o = chosen;

  always_ff @(posedge clk or negedge rst_n) begin
    if (!rst_n) begin
      turn_q  <= '1;
      valid_o <= 1'b0;
    end else begin
      if (|pick) turn_q <= ~(pick | (pick - V'(1)));
      valid_o <= |pick;
    end
  end

  // The VC needs no reset: it is used only while valid.
  always_ff @(posedge clk) begin
    if (|pick) vc_o <= number;
  end

endmodule
