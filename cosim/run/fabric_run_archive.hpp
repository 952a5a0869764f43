// SPDX-License-Identifier: Apache-2.0
// How the runs of workloads are written to the results of parts, and read from them.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "common/archive.hpp"
#include "cosim/run/fabric_run.hpp"
#include "sim/network/network_archive.hpp"
#include "sim/noc/noc_archive.hpp"
#include "sim/regression/case_archive.hpp"

namespace kernbench::model::fabric {

template <class Archive>
void serialize(Archive& archive, PlayedTransfer& played) {
  archive(played.submitted, played.done);
}
template <class Archive>
void serialize(Archive& archive, TimedTransfer& timed) {
  archive(timed.at, timed.src, timed.dst, timed.type, timed.qos, timed.bytes);
}
template <class Archive>
void serialize(Archive& archive, LinkWindows& windows) {
  archive(windows.cycles, windows.packets);
}
template <class Archive>
void serialize(Archive& archive, Transfer& transfer) {
  archive(transfer.id, transfer.src, transfer.dst, transfer.type, transfer.qos, transfer.bytes,
          transfer.transaction);
}
template <class Archive>
void serialize(Archive& archive, PacketStep& step) {
  archive(step.edge, step.packet, step.before, step.node, step.port, step.kind, step.vc);
}
template <class Archive>
void serialize(Archive& archive, TracedTransfer& traced) {
  archive(traced.transfer, traced.submitted, traced.seen, traced.packets, traced.missing,
          traced.last, traced.behind_others, traced.ready, traced.steps);
}

}  // namespace kernbench::model::fabric

namespace kernbench::cosim {

/// Traces of hops stay in the process that wrote them: only --trace needs them.
template <class Archive>
void serialize(Archive& archive, MachineResults& machine) {
  archive(machine.operations, machine.result_hash, machine.sent);
}

template <class Archive>
void serialize(Archive& archive, ClockedResults& clocked) {
  archive(clocked.cycles, clocked.packet_hash, clocked.link_packets, clocked.link_windows);
  std::size_t traces = clocked.traces.size();
  archive(cereal::make_size_tag(traces));
  for (std::size_t i = 0; i < traces; ++i) {
    maze::Shape shape;
    std::vector<model::fabric::TracedTransfer> transfers;
    model::fabric::Edge last_edge = 0;
    const bool is_written = i < clocked.traces.size();
    if (is_written) {
      const model::fabric::PacketTrace& trace = *clocked.traces[i];
      shape.nx = trace.links().nx();
      shape.ny = trace.links().ny();
      transfers.assign(trace.transfers().begin(), trace.transfers().end());
      last_edge = trace.last_edge();
    }
    archive(shape, transfers, last_edge);
    if (is_written) continue;
    clocked.traces.push_back(
        std::make_shared<model::fabric::PacketTrace>(shape, std::move(transfers), last_edge));
  }
}

template <class Archive>
void serialize(Archive& archive, RtlResults& rtl) {
  archive(rtl.build_hash, rtl.checkers, rtl.failures);
  sim::serialize(archive, rtl.coverage);
  sim::serialize(archive, rtl.network_coverage);
  sim::serialize(archive, rtl.noc_hits);
  archive(rtl.fault);
}

template <class Archive>
void serialize(Archive& archive, FabricRun& run) {
  archive(run.fabric, run.at_routers, run.nodes, run.outcome, run.reason, run.played, run.transfers,
          run.packets, run.mazes, run.failed_maze, run.seconds, run.machine, run.clocked, run.rtl,
          run.between_sips, run.failed_between_sips);
}

}  // namespace kernbench::cosim
