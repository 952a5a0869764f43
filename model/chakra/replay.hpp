// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "common/units.hpp"
#include "model/bench/runner.hpp"
#include "model/chakra/trace.hpp"
#include "topology/graph/topology_graph.hpp"

namespace kernbench::model::chakra {

/// The source of the time of computations.
enum class ComputeTime : std::uint8_t {
  Recorded,    ///< the recorded duration; by operations where there is none
  Operations,  ///< by operations; the recorded duration where there are none
};

struct ReplayOptions {
  ComputeTime compute = ComputeTime::Recorded;
  bool reuse = true;   ///< see Operations
  bool spans = false;  ///< collect ReplayResult::spans
};

/// The times of a rank.
struct RankFigures {
  common::SimTime end;            ///< end of its last node
  common::SimTime computing;      ///< computations that are not on its host
  common::SimTime on_host;        ///< computations on its host
  common::SimTime communicating;  ///< with a communication ready or under way
  common::SimTime exposed;        ///< the part of `communicating` without a computation
};

/// All nodes of a kind.
struct KindFigures {
  std::uint64_t nodes = 0;
  common::SimTime busy;    ///< sum of their times, without waiting
  common::SimTime waited;  ///< sum of their waits for the rank, its stream or other ranks
};

/// Equal calls of a collective.
struct CallFigures {
  std::string group;
  std::string collective;
  std::uint64_t bytes = 0;
  std::uint64_t calls = 0;
  common::SimTime shortest;  ///< from the last member's arrival to the last member's end
  common::SimTime longest;
};

/// The time of a node on a rank.
struct NodeSpan {
  std::uint32_t rank = 0;
  std::uint32_t node = 0;
  common::SimTime begin;
  common::SimTime end;
};

/// A completed replay. Times count from the start of the nodes, when all tensors are in place.
struct ReplayResult {
  common::SimTime start;  ///< in the simulation
  common::SimTime end;
  std::vector<RankFigures> ranks;
  std::array<KindFigures, kNodeKinds> kinds;
  std::vector<CallFigures> calls;
  std::uint64_t by_duration = 0;    ///< computations with their recorded duration
  std::uint64_t by_operations = 0;  ///< computations by their operations
  std::uint64_t without_time = 0;   ///< computations with neither
  std::uint64_t simulated = 0;      ///< operations carried out on the machine
  std::uint64_t reused = 0;
  std::uint64_t overlapping = 0;  ///< see Operations::overlapping()
  std::vector<NodeSpan> spans;    ///< by their ends; empty without ReplayOptions::spans
  bench::RunResult run;           ///< its choices of algorithms, flit-hops and log
};

/// Replays traces on a new machine. Throws what bench::run_bench() throws, common::BadInput when
/// members of a group call different collectives or both ends of a message differ in size, and
/// bench::NothingSubmitted for traces without nodes.
///
/// A node is ready when all its dependencies are done. Of the nodes that wait for a resource, the
/// one that was ready first runs, and of those the one with the lowest id. A rank has three
/// resources: its computation, its host, and a stream of memory traffic and communication.
[[nodiscard]] ReplayResult replay(const TraceSet& traces, const topology::TopologyGraph& graph,
                                  const bench::RunOptions& run_options,
                                  const ReplayOptions& options);

/// Returns the time that a computation takes at least on `pes` PEs: its multiply-adds, two
/// operations each, on their matrix engines, or its bytes at the bandwidth of their HBM slices.
[[nodiscard]] common::SimTime compute_time(std::uint64_t operations, std::uint64_t bytes,
                                           std::uint64_t pes, const topology::TopologySpec& spec);

}  // namespace kernbench::model::chakra
