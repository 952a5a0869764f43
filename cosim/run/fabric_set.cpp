#include "cosim/run/fabric_set.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "common/diagnostics.hpp"
#include "common/hash.hpp"
#include "model/fabric/analytic/maze_fabric.hpp"
#include "model/fabric/clocked/cycle_links.hpp"

namespace kernbench::cosim {

using common::Outcome;
using model::fabric::ClockedFabric;
using model::fabric::Fabric;
using model::fabric::LinkArray;
using model::fabric::PacketTrace;
namespace engine = model::engine;

namespace {

std::uint64_t hash_of(std::uint64_t first, std::uint64_t second) {
  common::RunHash hash;
  hash.add(first);
  hash.add(second);
  return hash.value();
}

}  // namespace

/// Notes whose step it is: a failure comes out of the simulation without the name of its fabric.
class FabricSet::SteppedLinks final : public LinkArray {
 public:
  SteppedLinks(std::unique_ptr<LinkArray> links, std::size_t maze, std::size_t& stepped)
      : links_(std::move(links)), maze_(maze), stepped_(stepped) {}

  [[nodiscard]] const maze::Shape& shape() const override { return links_->shape(); }
  void step(model::fabric::Edge edge, const maze::TopoInputs& inputs,
            maze::TopoOutputs& outputs) override {
    stepped_ = maze_;
    links_->step(edge, inputs, outputs);
  }

 private:
  std::unique_ptr<LinkArray> links_;
  std::size_t maze_;
  std::size_t& stepped_;
};

struct FabricSet::Maze {
  std::size_t index = 0;
  std::shared_ptr<PacketTrace> trace;
  RecordedFabric::Record record;
  std::unique_ptr<Fabric> fabric;
  ClockedFabric* clocked = nullptr;
  RtlLinks* rtl = nullptr;
};

FabricSet::FabricSet(FabricKind kind, const topology::SipSpec& sip, const FabricRunOptions& options)
    : kind_(kind), sip_(sip), shape_(maze_shape(sip)), options_(options) {}

FabricSet::~FabricSet() = default;

Fabric& FabricSet::add(engine::Simulation& simulation) {
  Maze& maze = *mazes_.emplace_back(std::make_unique<Maze>());
  maze.index = mazes_.size() - 1;
  if (kind_ == FabricKind::Analytic) {
    maze.fabric = model::fabric::make_analytic_maze(simulation, sip_, options_.analytic);
    return *maze.fabric;
  }
  if (kind_ == FabricKind::Cycle && options_.trace) {
    maze.trace = std::make_shared<PacketTrace>(shape_, *options_.trace);
  }
  auto clocked = std::make_unique<ClockedFabric>(
      simulation, common::SimTime::from_ns(sip_.maze.clock_ns), make_links(maze),
      model::fabric::MazeNodeSettings{.order = sip_.maze.order,
                                      .receiver_stalls = options_.receiver_stalls,
                                      .seed = options_.seed,
                                      .observer = maze.trace.get()});
  maze.clocked = clocked.get();
  maze.fabric = std::move(clocked);
  return *maze.fabric;
}

std::unique_ptr<LinkArray> FabricSet::make_links(Maze& maze) {
  std::unique_ptr<LinkArray> links;
  if (kind_ == FabricKind::Cycle) {
    links = std::make_unique<model::fabric::CycleLinks>(shape_);
  } else {
    RtlLinksOptions rtl_options = options_.rtl;
    if (maze.index != 0) rtl_options.fault.reset();
    auto rtl = std::make_unique<RtlLinks>(options_.make_dut(), rtl_options);
    if (!(rtl->shape() == shape_)) {
      throw common::BadInput(fmt::format(
          "the built model is a TOPO of {}x{} nodes with {} data bits; the topology needs {}x{} "
          "with {}",
          rtl->shape().nx, rtl->shape().ny, rtl->shape().flit_w, shape_.nx, shape_.ny,
          shape_.flit_w));
    }
    maze.rtl = rtl.get();
    links = std::move(rtl);
  }
  return std::make_unique<SteppedLinks>(std::move(links), maze.index, stepped_);
}

model::transport::FabricFactory FabricSet::recording_factory() {
  return [this](engine::Simulation& simulation, const topology::SipSpec& /*sip*/) {
    Fabric& inner = add(simulation);
    return std::make_unique<RecordedFabric>(simulation, inner, sip_.maze.flit_bits,
                                            mazes_.back()->record);
  };
}

void FabricSet::drain() {
  for (const auto& maze : mazes_) {
    if (maze->clocked != nullptr) maze->clocked->drain();
  }
}

void FabricSet::collect(FabricRun& run) {
  run.mazes = mazes_.size();
  run.failed_maze = stepped_;
  for (const auto& maze : mazes_) {
    run.packets += maze->record.packets;
    run.transfers += maze->record.transfers.size();
    if (maze->clocked != nullptr) collect_clocked(*maze, run);
    if (maze->rtl != nullptr) {
      run.sent.push_back(std::move(maze->record.transfers));
      const bool has_failed = run.outcome != Outcome::Pass;
      collect_rtl(*maze->rtl, run);
      if (!has_failed && run.outcome != Outcome::Pass) run.failed_maze = maze->index;
    }
  }
  for (const sim::CheckerResult& checker : run.checkers) {
    // A watchdog's window may be longer than the whole run.
    if (checker.checks != 0 || checker.name == "watchdog" || run.outcome != Outcome::Pass) continue;
    run.outcome = Outcome::Vacuous;
    run.reason = fmt::format("{} compared nothing", checker.name);
  }
}

void FabricSet::collect_clocked(const Maze& maze, FabricRun& run) const {
  const model::fabric::MazeNodes& nodes = maze.clocked->nodes();
  run.cycles += maze.clocked->cycles();
  run.packet_hash = maze.index == 0 ? nodes.hash() : hash_of(run.packet_hash, nodes.hash());
  if (maze.trace != nullptr) run.traces.push_back(maze.trace);
  run.link_packets.resize(shape_.links());
  std::size_t link = 0;
  for (unsigned node = 0; node < shape_.nodes(); ++node) {
    for (unsigned port = 0; port < shape_.ports(); ++port) {
      run.link_packets[link++] += nodes.entered(node, port);
    }
  }
}

void FabricSet::collect_rtl(RtlLinks& links, FabricRun& run) const {
  links.finish();
  run.build_hash = links.build_hash();
  for (const sim::CheckerResult& checker : links.checkers()) {
    const auto known = std::find_if(run.checkers.begin(), run.checkers.end(),
                                    [&](const auto& seen) { return seen.name == checker.name; });
    if (known == run.checkers.end()) {
      run.checkers.push_back(checker);
    } else {
      known->checks += checker.checks;
      known->failures += checker.failures;
    }
  }
  const std::vector<sim::Failure> failures = links.failures();
  run.failures.insert(run.failures.end(), failures.begin(), failures.end());
  if (!failures.empty() && run.outcome == Outcome::Pass) {
    run.outcome = Outcome::Mismatch;
    run.reason = failures.front().message;
  }
  if (links.injector()) {
    sim::FaultResult fault;
    fault.kind = sim::fault_name(links.injector()->spec().kind);
    fault.link = links.injector()->link();
    fault.injected_at = links.injector()->injected_at();
    for (const sim::CheckerResult& checker : links.checkers()) {
      if (checker.failures != 0) fault.caught_by.push_back(checker.name);
    }
    run.fault = std::move(fault);
  }
  if (options_.rtl.fault) return;
  if (run.coverage) {
    run.coverage->merge(links.coverage());
  } else {
    run.coverage = links.coverage();
  }
}

}  // namespace kernbench::cosim
