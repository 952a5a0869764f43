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

  logic [V-1:0]   held, funded, ready, ready_ahead, pick;
  logic [V-1:0]   open, open_ahead, entry;  // VCs that can take a head; the one of each class that does
  logic [R-1:0]   ahead;
  logic [C*R-1:0] offer;      // by class: the head that it offers
  logic [V*R-1:0] candidate;  // by VC: the input VC whose flit it would send
  logic [R-1:0]   chosen;     // the input VC whose flit the granted VC sends
  logic [VW-1:0]  number;     // of the granted VC

  always @* begin
    {held, funded, open, open_ahead, entry, ahead, offer} = '0;
    {candidate, ready, ready_ahead, pick, chosen, number} = '0;
    if (|ask_i | |(owner_q & {V{valid_i}})) begin  // changes nothing; saves simulation time
      for (int j = 0; j < V; j++) begin
        held[j]   = |owner_q[j*R+:R];
        funded[j] = count_q[j*CountW+:CountW] != '0;
      end
      open       = ~held & funded;
      open_ahead = open & turn_q;
      for (int c = 0; c < C; c++) begin
        ahead = ask_i[c*R+:R] & from_q[c*R+:R];
        // The lowest bit that is set.
        offer[c*R+:R] = |ahead ? ahead & (~ahead + R'(1)) : ask_i[c*R+:R] & (~ask_i[c*R+:R] + R'(1));
        entry[c*M+:M] = |open_ahead[c*M+:M] ? open_ahead[c*M+:M] & (~open_ahead[c*M+:M] + M'(1))
                                            : open[c*M+:M] & (~open[c*M+:M] + M'(1));
      end
      for (int c = 0; c < C; c++)
        for (int j = c*M; j < c*M + M; j++) begin
          candidate[j*R+:R] = held[j] ? owner_q[j*R+:R] & valid_i : entry[j] ? offer[c*R+:R] : '0;
          ready[j] = funded[j] & |candidate[j*R+:R];
        end
      ready_ahead = ready & turn_q;
      pick = |ready_ahead ? ready_ahead & (~ready_ahead + V'(1)) : ready & (~ready + V'(1));
      for (int j = 0; j < V; j++) begin
        chosen = chosen | ({R{pick[j]}} & candidate[j*R+:R]);
        number = number | ({VW{pick[j]}} & VW'(j));
      end
    end
  end
  assign grant_o = chosen;

  // All bits above the granted input VC; none above the last, so that the next search starts at the first.
  logic [R-1:0] behind;
  logic [R-1:0] next_owner;  // of the granted VC
  assign behind     = ~(chosen | (chosen - R'(1)));
  assign next_owner = |(chosen & tail_i) ? '0 : chosen;

  always_ff @(posedge clk or negedge rst_n) begin
    if (!rst_n) begin
      from_q  <= '1;
      turn_q  <= '1;
      owner_q <= '0;
      valid_o <= 1'b0;
      for (int j = 0; j < V; j++) count_q[j*CountW+:CountW] <= CountW'(B);
    end else begin
      // Flops keep their value by a choice in place of a condition each: simulation is faster.
      if (|pick) begin
        turn_q <= ~(pick | (pick - V'(1)));
        for (int c = 0; c < C; c++)
          from_q[c*R+:R] <= |(pick[c*M+:M] & ~held[c*M+:M]) ? behind : from_q[c*R+:R];
        for (int j = 0; j < V; j++) owner_q[j*R+:R] <= pick[j] ? next_owner : owner_q[j*R+:R];
      end
      for (int j = 0; j < V; j++)
        count_q[j*CountW+:CountW] <= count_q[j*CountW+:CountW] + CountW'(credit_i[j]) - CountW'(pick[j]);
      valid_o <= |pick;
    end
  end

  // The VC needs no reset: it is used only while valid.
  always_ff @(posedge clk) begin
    if (|pick) vc_o <= number;
  end

endmodule
