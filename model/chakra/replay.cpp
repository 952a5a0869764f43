// SPDX-License-Identifier: Apache-2.0
#include "model/chakra/replay.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>
#include <memory>
#include <tuple>

#include "model/ccl/process_group.hpp"
#include "model/chakra/matching.hpp"
#include "model/chakra/operations.hpp"
#include "model/chakra/rank_replay.hpp"
#include "model/engine/event.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::chakra {

using common::SimTime;

namespace {

/// The replays of all ranks, and the operations between them.
class Replay final : public RankReplay::Owner, public engine::EventHandler {
 public:
  Replay(const TraceSet& traces, const ReplayOptions& options, ReplayResult& result)
      : traces_(traces),
        options_(options),
        result_(result),
        matching_(traces),
        operations_(traces, options.reuse,
                    [this](std::uint64_t tag, std::uint32_t place, SimTime begin) {
                      on_done(tag, place, begin);
                    }) {
    for (std::uint32_t rank = 0; rank < traces.ranks.size(); ++rank) {
      ranks_.emplace_back(*this, rank, traces.ranks[rank]);
    }
  }

  /// Runs as the host part of a bench.
  void run(runtime::Context& kb) {
    ++kb.session().record().submissions;
    kb.session().add_wait_report([this] { return matching_.unfinished(); });
    simulation_ = &kb.session().machine().simulation();
    ccl::ProcessGroup world(kb.session(), "ahbm");
    ccl::spawn(kb, world, [this](ccl::Worker& worker) {
      if (worker.rank() >= traces_.ranks.size()) return;
      operations_.prepare(worker);
      worker.kb().synchronize();
      pes_ = std::uint64_t{worker.kb().cubes()} * worker.kb().pes();
      spec_ = &worker.kb().session().spec();
      if (++prepared_ == ranks_.size()) simulation_->schedule(simulation_->now(), *this);
      worker.kb().wait(end_);
    });
    finish_result();
  }

 private:
  /// An operation of the machine: the nodes by place.
  struct Running {
    std::vector<RankNode> nodes;
    std::size_t left = 0;  ///< places that are not done
    SimTime issued;
    std::size_t send = 0;  ///< number of the send of a message
  };

  /// Starts all ranks.
  void on_event(engine::EventArgument /*argument*/) override {
    result_.start = simulation_->now();
    for (RankReplay& rank : ranks_) rank.start(*simulation_);
  }

  void begin(std::uint32_t rank, std::uint32_t index) override {
    const RankNode at{rank, index};
    const Node& node = traces_.ranks[rank].nodes[index];
    switch (node.kind) {
      case NodeKind::Send: {
        const std::size_t number = matching_.send(at);
        const std::uint32_t peer = traces_.ranks[rank].messages[node.detail].peer;
        issue({Operation::Kind::Message, 0, 0, 0, node.bytes, {rank, peer}}, {at}, number);
        break;
      }
      case NodeKind::Receive:
        // Ends in an event of its own, because a node does not end within begin().
        if (matching_.receive(at)) finish_later(at);
        break;
      case NodeKind::Collective:
        if (const auto complete = matching_.call(at)) {
          const CollectiveCall& call = traces_.ranks[rank].calls[node.detail];
          if (complete->members.size() == 1) {
            note_call(node, rank, simulation_->now());
            finish_later(at);
            break;
          }
          issue({Operation::Kind::Collective, call.collective, complete->group, call.root,
                 node.bytes, traces_.groups[complete->group].ranks},
                complete->members);
        }
        break;
      default:
        if (node.bytes == 0) {
          finish_later(at);
        } else {
          issue({node.kind == NodeKind::Load ? Operation::Kind::Load : Operation::Kind::Store,
                 0,
                 0,
                 0,
                 node.bytes,
                 {rank}},
                {at});
        }
    }
  }

  void issue(Operation operation, std::vector<RankNode> nodes, std::size_t send = 0) {
    const std::size_t parts = operation.ranks.size();
    const std::uint64_t tag = next_tag_++;
    running_.emplace(tag, Running{std::move(nodes), parts, simulation_->now(), send});
    operations_.issue(std::move(operation), tag);
  }

  void finish_later(const RankNode& at) {
    later_.push_back({*this, at});
    simulation_->schedule(simulation_->now(), later_.back());
  }

  void on_done(std::uint64_t tag, std::uint32_t place, SimTime begin) {
    const auto found = running_.find(tag);
    Running& running = found->second;
    const RankNode first = running.nodes.front();
    const Node& node = traces_.ranks[first.rank].nodes[first.node];
    std::optional<RankNode> finished;
    if (place < running.nodes.size()) {
      finished = running.nodes[place];
    } else {
      finished = matching_.arrived(first, running.send);
    }
    if (--running.left == 0) {
      if (node.kind == NodeKind::Collective) note_call(node, first.rank, running.issued);
      running_.erase(found);
    }
    if (finished) ranks_[finished->rank].finish(finished->node, begin);
    note_end();
  }

  void note_call(const Node& node, std::uint32_t rank, SimTime issued) {
    const CollectiveCall& call = traces_.ranks[rank].calls[node.detail];
    CallFigures& figures = calls_[{call.group, call.collective, node.bytes}];
    const SimTime time = simulation_->now() - issued;
    if (figures.calls++ == 0) {
      figures.group = traces_.groups[call.group].name;
      figures.collective = kCollectives[call.collective].name;
      figures.bytes = node.bytes;
      figures.shortest = time;
    }
    figures.shortest = std::min(figures.shortest, time);
    figures.longest = std::max(figures.longest, time);
  }

  SimTime time_of(std::uint32_t /*rank*/, const Node& node) override {
    const bool recorded = node.duration_ps >= 0;
    const bool counted = node.operations != 0 || node.bytes != 0;
    if (counted && !(recorded && options_.compute == ComputeTime::Recorded)) {
      ++result_.by_operations;
      return compute_time(node.operations, node.bytes, pes_, *spec_);
    }
    ++(recorded ? result_.by_duration : result_.without_time);
    return SimTime::from_ps(std::max(node.duration_ps, std::int64_t{0}));
  }

  void note(const NodeSpan& span, SimTime ready) override {
    const Node& node = traces_.ranks[span.rank].nodes[span.node];
    KindFigures& kind = result_.kinds[static_cast<std::size_t>(node.kind)];
    ++kind.nodes;
    kind.busy += span.end - span.begin;
    kind.waited += span.begin - ready;
    if (options_.spans) result_.spans.push_back(span);
  }

  void note_end() override {
    const bool done = running_.empty() && matching_.all_received() &&
                      std::all_of(ranks_.begin(), ranks_.end(),
                                  [](const RankReplay& rank) { return rank.done(); });
    if (done) end_.trigger();
  }

  void finish_result() {
    for (const RankReplay& rank : ranks_) {
      RankFigures figures = rank.figures();
      figures.end = figures.end - result_.start;
      result_.end = std::max(result_.end, figures.end);
      result_.ranks.push_back(figures);
    }
    for (auto& [key, figures] : calls_) result_.calls.push_back(std::move(figures));
    result_.simulated = operations_.simulated();
    result_.reused = operations_.reused();
    result_.overlapping = operations_.overlapping();
  }

  /// Ends a node that takes no time.
  class Later final : public engine::EventHandler {
   public:
    Later(Replay& replay, RankNode at) : replay_(replay), at_(at) {}
    void on_event(engine::EventArgument /*argument*/) override {
      replay_.ranks_[at_.rank].finish(at_.node, replay_.simulation_->now());
    }

   private:
    Replay& replay_;
    RankNode at_;
  };

  const TraceSet& traces_;
  ReplayOptions options_;
  ReplayResult& result_;
  Matching matching_;
  Operations operations_;
  std::deque<RankReplay> ranks_;
  std::map<std::uint64_t, Running> running_;  ///< by tag
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint64_t>, CallFigures> calls_;
  std::deque<Later> later_;
  std::uint64_t next_tag_ = 0;
  std::size_t prepared_ = 0;
  engine::Simulation* simulation_ = nullptr;
  const topology::TopologySpec* spec_ = nullptr;
  std::uint64_t pes_ = 0;  ///< PEs of a rank
  engine::Event end_{"the end of the traces"};
};

}  // namespace

SimTime compute_time(std::uint64_t operations, std::uint64_t bytes, std::uint64_t pes,
                     const topology::TopologySpec& spec) {
  const double macs_per_ps =
      static_cast<double>(pes) * spec.pe.pe_gemm_macs_per_cycle * spec.pe.clock_ghz / 1000.0;
  const topology::MemoryMapSpec& memory = spec.cube.memory_map;
  const double bytes_per_ps = memory.slice_bw_gbs() * static_cast<double>(pes) / 1000.0;
  const double least = std::max(static_cast<double>(operations) / 2.0 / macs_per_ps,
                                static_cast<double>(bytes) / bytes_per_ps);
  return SimTime::from_ps(static_cast<std::int64_t>(
      std::min(std::ceil(least), static_cast<double>(kLongestComputationPs))));
}

ReplayResult replay(const TraceSet& traces, const topology::TopologyGraph& graph,
                    const bench::RunOptions& run_options, const ReplayOptions& options) {
  const bool empty = std::all_of(traces.ranks.begin(), traces.ranks.end(),
                                 [](const RankTrace& rank) { return rank.nodes.empty(); });
  if (empty) throw bench::NothingSubmitted("the traces have no nodes: nothing ran");
  ReplayResult result;
  // Handlers of events must live until the simulation is destroyed.
  Replay replay(traces, options, result);
  const bench::Bench host{
      "chakra", "replay of execution traces", {}, [&replay](runtime::Context& kb) {
        replay.run(kb);
      }};
  result.run = bench::run_bench(host, graph, run_options);
  return result;
}

}  // namespace kernbench::model::chakra
