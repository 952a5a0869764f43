// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "cosim/run/cosim.hpp"
#include "topology/spec/sip_spec.hpp"

namespace kernbench::cosim::sample {

/// Four cubes joined by a 2x2 MAZE: nodes 0..3 with the ports x[0] and y[0].
inline topology::SipSpec small_sip() {
  topology::SipSpec sip;
  sip.inter_cube = topology::InterCube::Maze;
  sip.cube_mesh_w = 2;
  sip.cube_mesh_h = 2;
  return sip;
}

inline common::SimTime cycles(std::int64_t count) {
  return common::SimTime::from_ps(1000 * count);
}

/// Two transfers: 3 bytes from node 0 to node 3 and 1 byte from 2 to 3, with these latencies in
/// cycles.
inline FabricRun two_transfers(FabricKind fabric, std::int64_t first, std::int64_t second) {
  FabricRun run;
  run.fabric = fabric;
  run.transfers = 2;
  run.packets = 4;
  run.played = {{cycles(0), cycles(first)}, {cycles(1), cycles(1 + second)}};
  if (fabric == FabricKind::Analytic) return run;
  run.clocked = {.cycles = 8,
                 .packet_hash = 0xfedcba9876543210U,
                 .link_packets = {3, 0, 0, 3, 1, 0, 0, 0},
                 .link_windows = {16, {{3, 0, 0, 2, 1, 0, 0, 0}, {0, 0, 0, 1, 0, 0, 0, 0}}},
                 .traces = {}};
  if (fabric == FabricKind::Rtl) run.rtl.emplace();
  return run;
}

/// All fabrics agree, except that the analytic one halves the latency of the second transfer.
inline WorkloadResult passing(const std::string& name) {
  WorkloadResult result;
  result.workload.name = name;
  result.workload.transfers = {
      {cycles(0), 0, 3, model::fabric::TransferType::Unicast, model::fabric::Qos::Low, 3},
      {cycles(1), 2, 3, model::fabric::TransferType::Unicast, model::fabric::Qos::High, 1}};
  result.runs = {two_transfers(FabricKind::Analytic, 4, 1), two_transfers(FabricKind::Cycle, 4, 2),
                 two_transfers(FabricKind::Rtl, 4, 2)};
  result.runs[2].rtl->checkers = {{"scoreboard", 4, 0}, {"lockstep", 64, 0}};
  result.runs[2].rtl->build_hash = "00112233";
  return result;
}

/// Synthetic traffic: two of four packets complete from cycle 2 to 4.
inline WorkloadResult at_load(const std::string& name, double load) {
  WorkloadResult result = passing(name);
  result.workload.offered = {load, 2, 4, 2};
  return result;
}

/// A fault drops a packet in the RTL, and the scoreboard notices it.
inline WorkloadResult failing(const std::string& name) {
  WorkloadResult result = passing(name);
  FabricRun& rtl = result.runs[2];
  rtl.outcome = common::Outcome::Mismatch;
  rtl.reason = "expected <1> & got \"2\"";
  rtl.played[1].done.reset();
  rtl.nodes = model::fabric::MazeNodeKind::Ideal;  // the fault is at a link
  rtl.rtl->checkers[0].failures = 1;
  rtl.rtl->failures = {{"scoreboard", "loss", 7, sim::LinkEnd{2, 0}, "no packet <0x5a>"}};
  rtl.rtl->fault = sim::FaultResult{"drop", {2, 0}, 6, {"scoreboard"}};
  result.outcome = rtl.outcome;
  result.reason = rtl.reason;
  return result;
}

}  // namespace kernbench::cosim::sample
