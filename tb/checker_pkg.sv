// SPDX-License-Identifier: Apache-2.0
// Rules of the link contract, and the functions by which checkers report violations.
package checker_pkg;

  // One bit per rule. Reports show these names.
  typedef struct packed {
    logic wires;                  // depth 0: an output differs from its input (also in reset)
    logic input_valid_stable;     // the sender withdrew a packet that was not accepted
    logic input_payload_stable;   // the sender changed a packet that was not accepted
    logic output_valid_stable;    // the link withdrew a packet that was not accepted
    logic output_payload_stable;  // the link changed a packet that was not accepted
    logic ready_when_empty;       // a link with room in its first stage is not ready
    logic overflow;               // a full link accepts a packet
    logic underflow;              // an empty link offers a packet
    logic too_early;              // a packet is offered less than the link's depth in cycles after it entered
    logic too_late;               // no packet is offered although the oldest one must have arrived
    logic order;                  // the offered packet differs from the oldest one
  } rules_t;

  // Number of stages that the requirement puts between two nodes of a ring of n at distance `hop`
  // (1 .. n-1).
  function automatic int required_depth(int hop, int n);
    return ((hop <= n - hop) ? hop : n - hop) - 1;
  endfunction

`ifdef KB_CHECKERS_DPI
  import "DPI-C" function void kernbench_violation(input int node, input int out_port, input string rule_name);
`endif

  // Reports a rule that the link from output `out_port` of `node` (X ports first) has violated.
  function automatic void report(int node, int out_port, string rule_name);
    /*verilator no_inline_task*/
`ifdef KB_CHECKERS_DPI
    kernbench_violation(node, out_port, rule_name);
`else
    $error("node %0d, port %0d: rule '%s' violated", node, out_port, rule_name);
`endif
  endfunction

  function automatic void report_all(int node, int out_port, rules_t broken);
    /*verilator no_inline_task*/
    if (broken.wires)                  report(node, out_port, "wires");
    if (broken.input_valid_stable)     report(node, out_port, "input_valid_stable");
    if (broken.input_payload_stable)   report(node, out_port, "input_payload_stable");
    if (broken.output_valid_stable)    report(node, out_port, "output_valid_stable");
    if (broken.output_payload_stable)  report(node, out_port, "output_payload_stable");
    if (broken.ready_when_empty)       report(node, out_port, "ready_when_empty");
    if (broken.overflow)               report(node, out_port, "overflow");
    if (broken.underflow)              report(node, out_port, "underflow");
    if (broken.too_early)              report(node, out_port, "too_early");
    if (broken.too_late)               report(node, out_port, "too_late");
    if (broken.order)                  report(node, out_port, "order");
  endfunction

endpackage
