// SPDX-License-Identifier: Apache-2.0
// The handshake of one side of a link as concurrent assertions, for tools that take them. The rules are
// those of link_checker: `output_valid_stable` and `output_payload_stable` where the link drives valid, and
// `input_valid_stable` and `input_payload_stable` where the sender does.
//
//   bind IRS_N link_protocol_sva #(.PYLD_W(PYLD_W)) u_out (
//     .clk, .rst_n, .valid(valid_o), .ready(ready_i), .payload(payload_o));
module link_protocol_sva #(
  parameter int PYLD_W = 23
) (
  input logic              clk,
  input logic              rst_n,
  input logic              valid,
  input logic              ready,
  input logic [PYLD_W-1:0] payload
);

  // A packet that was not accepted is offered again in the next cycle.
  valid_stable: assert property (@(posedge clk) disable iff (!rst_n) valid && !ready |=> valid)
    else $error("link_protocol_sva: a packet that was not accepted was withdrawn");

  // It does not change meanwhile.
  payload_stable: assert property (@(posedge clk) disable iff (!rst_n) valid && !ready |=> $stable(payload))
    else $error("link_protocol_sva: a packet that was not accepted changed");

  // Both happen: a packet that moves, and one that waits.
  moves: cover property (@(posedge clk) disable iff (!rst_n) valid && ready);
  waits: cover property (@(posedge clk) disable iff (!rst_n) valid && !ready);

endmodule
