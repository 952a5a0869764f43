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
    logic too_early;              // a packet is offered less than IRS_DEEP cycles after it entered
    logic too_late;               // no packet is offered although the oldest one must have arrived
    logic order;                  // the offered packet differs from the oldest one
    logic parameters;             // the parameters of an IRS_N are not allowed in a TOPO
  } rules_t;

`ifdef KB_CHECKERS_DPI
  import "DPI-C" function void kernbench_violation(input string instance_name, input string rule_name);
`endif

  function automatic void report(string instance_name, string rule_name);
    /*verilator no_inline_task*/
`ifdef KB_CHECKERS_DPI
    kernbench_violation(instance_name, rule_name);
`else
    $error("%s: rule '%s' violated", instance_name, rule_name);
`endif
  endfunction

  function automatic void report_all(string instance_name, rules_t broken);
    /*verilator no_inline_task*/
    if (broken.wires)                 report(instance_name, "wires");
    if (broken.input_valid_stable)    report(instance_name, "input_valid_stable");
    if (broken.input_payload_stable)  report(instance_name, "input_payload_stable");
    if (broken.output_valid_stable)   report(instance_name, "output_valid_stable");
    if (broken.output_payload_stable) report(instance_name, "output_payload_stable");
    if (broken.ready_when_empty)      report(instance_name, "ready_when_empty");
    if (broken.overflow)              report(instance_name, "overflow");
    if (broken.underflow)             report(instance_name, "underflow");
    if (broken.too_early)             report(instance_name, "too_early");
    if (broken.too_late)              report(instance_name, "too_late");
    if (broken.order)                 report(instance_name, "order");
    if (broken.parameters)            report(instance_name, "parameters");
  endfunction

endpackage
