// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

namespace kernbench::docs {

/// The statements below a heading of the MAZE Topo requirements, in short words.
struct Heading {
  const char* id;
  std::vector<const char*> statements;
};

/// Returns all statements of the page, bullets and their parts, but for code.
inline const std::vector<Heading>& topo_statements() {
  static const std::vector<Heading> kAll = {
      // Functional requirements: torus
      {"FR-1",
       {"8x8 nodes, 64 in all", "7 neighbours in X and 7 in Y", "toroidal links, modulo 8",
        "a torus in both axes"}},
      // Functional requirements: C interface
      {"FR-2",
       {"a C interface is split into 28 connections", "14 in X, 7 each way", "14 in Y, 7 each way",
        "inputs and outputs are apart", "all signals of the interface are routed"}},
      // Functional requirements: buffers
      {"FR-3",
       {"IRS_N stands directly between two nodes", "the depth is the distance less one, 0 at least",
        "IRS_N alone, with TYPE_RO_EN", "flow control is a ready-valid handshake"}},
      // Functional requirements: connectivity
      {"FR-4",
       {"source and target nodes are identified", "paths are set up correctly",
        "several nodes reach one destination", "signals keep their values"}},
      // Interface: connections
      {"IS-1",
       {"an 8x8 torus that wraps on both axes", "896 connections of 64 nodes with 14 ports",
        "448 connections in X", "448 connections in Y", "896 IRS_N of several depths",
        "hard wires by modulo arithmetic", "outputs through IRS_N to inputs, without routing"}},
      // Architecture: coordinates
      {"TA-1",
       {"X is 0 to 7", "Y is 0 to 7", "the node is Y * 8 + X", "coordinates decide the links"}},
      // Architecture: rules of the torus
      {"TA-2",
       {"X[i] leads to [VP, (HP + i + 1) mod 8]", "X[i] comes from [VP, (HP - i - 1 + 8) mod 8]",
        "X links go to rising coordinates", "X wraps modulo 8",
        "Y[i] leads to [(VP + i + 1) mod 8, HP]", "Y[i] comes from [(VP - i - 1 + 8) mod 8, HP]",
        "Y links go to rising coordinates", "Y wraps modulo 8"}},
      // Architecture: examples
      {"TA-3",
       {"[3,4] X[0] leads to [3,5]", "[3,4] X[1] leads to [3,6]", "[3,4] X[6] leads to [3,3]",
        "[3,4] Y[0] leads to [4,4]", "[3,4] Y[1] leads to [5,4]", "[3,4] Y[6] leads to [2,4]"}},
      // Architecture: both directions
      {"TA-4",
       {"each direction has channels of its own", "full duplex",
        "each direction has flow control of its own"}},
      // Architecture: QoS
      {"TA-5",
       {"QoS travels with the packet", "QoS takes part in arbitration at the destination",
        "high packets keep their priority through the topology"}},
      // Architecture: flow control
      {"TA-6",
       {"ready and valid between nodes", "the buffers take up what flow control needs",
        "no deadlock, by credit-based flow control"}},
      // Architecture: packets
      {"TA-7",
       {"23 bits on every connection", "[22:21] is the type, of four", "[20] is QoS",
        "[19:14] is the source", "[13:8] is the target", "[7:0] is the data",
        "signals keep their values through the topology", "registered interfaces isolate timing"}},
      // Implementation: examples of depths
      {"II-1",
       {"[3,4] to [3,5] has depth 0", "[3,4] to [3,6] has depth 1", "[3,4] to [3,3] has depth 0",
        "[3,4] to [4,4] has depth 0", "[3,4] to [5,4] has depth 1", "[3,4] to [2,4] has depth 0",
        "depth 0 joins direct neighbours", "depths 1 to 3 join the others",
        "the total follows from the torus"}},
      // Implementation: characteristics
      {"II-2",
       {"no routing logic", "output, buffer, input, and no stage between",
        "one clock domain, no gate in Topo", "no power management in Topo",
        "signals have the names of interface_c.slv", "896 single IRS_N, none shared"}},
      // Verification requirements: connectivity
      {"VR-1",
       {"every required connection exists", "signals reach their destination intact",
        "no signal has two drivers", "all 896 connections are there"}},
      // Verification requirements: timing
      {"VR-2",
       {"setup and hold", "one clock domain", "critical paths", "the worst case at full load"}},
      // Verification requirements: function
      {"VR-3",
       {"packets arrive end to end", "both directions work", "many connections at a time",
        "buffers neither overflow nor underflow"}},
      // Verification requirements: topology
      {"VR-4",
       {"8x8 torus that wraps round correctly", "7 X and 7 Y neighbours for each node",
        "modulo-8 arithmetic", "every connection in both directions", "QoS is preserved",
        "handshake on every connection", "all 896 buffers behave", "the matrix is complete"}},
      // Performance requirements: timing
      {"PR-1",
       {"little delay through the topology", "100 MHz and more", "setup and hold on every path",
        "little clock skew"}},
      // Performance requirements: throughput
      {"PR-2",
       {"full aggregate bandwidth", "all connections active at once", "enough buffering",
        "back-pressure"}},
      // Performance requirements: resources
      {"PR-3", {"minimal logic", "buffer memory", "wire routing", "power"}},
      // Design constraints: physical
      {"DC-1",
       {"placement fits an 8x8 grid", "the complexity of routing is manageable",
        "area is used efficiently", "critical paths are optimized"}},
      // Design constraints: logic
      {"DC-2",
       {"strict modulo-8 rules", "consistent names", "sizes are parameters",
        "the design scales to N x N", "inputs and outputs are apart", "QoS is preserved"}},
      // Design constraints: implementation
      {"DC-3",
       {"independent of a technology", "major synthesis and simulation tools read it",
        "synthesis gives efficient results", "verification is complete"}},
      // Guidelines: style
      {"IG-1",
       {"IEEE 1800-2017", "the RTL can be synthesized", "the structure is clear",
        "comments in the code"}},
      // Guidelines: modules
      {"IG-2",
       {"a clean hierarchy", "interfaces are consistent", "components can be used again",
        "concerns are separate"}},
      // Guidelines: optimization
      {"IG-3",
       {"resources are shared where possible", "little logic",
        "critical timing paths are optimized", "little power"}},
      // Testability: debug interfaces
      {"TF-1",
       {"status of connections", "internal signals can be observed", "throughput and latency",
        "errors are detected"}},
      // Testability: configuration
      {"TF-2",
       {"topology can be configured at run time", "IRS depth can be configured", "debug modes",
        "parameters can be changed at run time"}},
      // Testability: diagnostics
      {"TF-3", {"loopback", "test patterns", "status reports", "controlled faults"}},
      // Documentation: architecture
      {"DR-1",
       {"block diagrams", "connection matrices", "signal flow",
        "timing diagrams of critical paths"}},
      // Documentation: interface
      {"DR-2", {"signals", "timing", "protocol", "connection rules"}},
      // Documentation: verification
      {"DR-3", {"test plan", "test benches", "coverage", "regression results"}},
      // Compliance: standards
      {"SC-1",
       {"SystemVerilog, IEEE 1800-2017", "major synthesis tools", "Verilator and major simulators",
        "documentation of the usual form"}},
      // Compliance: project
      {"PC-1",
       {"files are where they belong", "naming conventions", "code review", "version control"}},
      // Quality
      {"QC-1",
       {"100 % functional coverage of the connections", "95 % line and branch coverage",
        "performance targets", "reliability"}},
  };
  return kAll;
}

}  // namespace kernbench::docs
