// SPDX-License-Identifier: Apache-2.0
#include "cosim/run/divergence.hpp"

#include <fmt/format.h>

#include <chrono>
#include <memory>
#include <optional>
#include <utility>

#include "maze/packet_layout.hpp"
#include "model/engine/simulation.hpp"
#include "model/fabric/clocked/clocked_fabric.hpp"
#include "model/fabric/clocked/cycle_links.hpp"
#include "model/fabric/clocked/fabric_failure.hpp"
#include "model/fabric/clocked/ideal_maze.hpp"
#include "topology/maze_links.hpp"
#include "topology/spec/sip_spec.hpp"

namespace kernbench::cosim {

using maze::Shape;
using maze::TopoInputs;
using maze::TopoOutputs;
using model::fabric::ClockedFabric;
using model::fabric::Edge;
using model::fabric::FabricFailure;
using model::fabric::IdealMaze;
using model::fabric::LinkArray;
using model::fabric::TransferPlayer;

namespace {

/// The pins of the reference in one cycle.
struct Frame {
  explicit Frame(const Shape& shape) : inputs(shape), outputs(shape) {}
  Edge edge = 0;
  TopoInputs inputs;
  TopoOutputs outputs;
};

/// The cycle reference. Keeps its pins until the RTL has executed the same edge.
class LeadingLinks final : public LinkArray {
 public:
  LeadingLinks(const Shape& shape, Frame& frame) : links_(shape), frame_(frame) {}
  [[nodiscard]] const Shape& shape() const override { return links_.shape(); }
  void step(Edge edge, const TopoInputs& inputs, TopoOutputs& outputs) override {
    links_.step(edge, inputs, outputs);
    frame_.edge = edge;
    frame_.inputs = inputs;
    frame_.outputs = outputs;
  }

 private:
  model::fabric::CycleLinks links_;
  Frame& frame_;
};

/// The RTL. Compares every edge with that of the reference.
class FollowingLinks final : public LinkArray {
 public:
  FollowingLinks(std::unique_ptr<RtlLinks> links, const Frame& frame)
      : links_(std::move(links)),
        frame_(frame),
        map_(links_->shape().nx, links_->shape().ny),
        layout_(links_->shape()) {}

  [[nodiscard]] RtlLinks& rtl() { return *links_; }
  /// The first difference at a link, if any.
  [[nodiscard]] const std::optional<sim::Failure>& parting() const { return parting_; }
  [[nodiscard]] const Shape& shape() const override { return links_->shape(); }

  void step(Edge edge, const TopoInputs& inputs, TopoOutputs& outputs) override {
    links_->step(edge, inputs, outputs);
    if (edge != frame_.edge) {
      part(edge, fmt::format("the cycle reference is at edge {}", frame_.edge));
    }
    for (unsigned node = 0; node < shape().nodes(); ++node) {
      for (unsigned port = 0; port < shape().ports(); ++port) {
        compare_entering(edge, node, port, inputs, outputs);
        compare_leaving(edge, node, port, inputs, outputs);
      }
    }
  }

 private:
  [[noreturn]] void part(Edge edge, const std::string& what) const {
    throw FabricFailure(
        edge, fmt::format("cycle {} of the RTL: {}", links_->bench().runner().now() - 1, what));
  }

  [[noreturn]] void part_at(Edge edge, const topology::MazeLink& link, const char* field,
                            const std::string& rtl, const std::string& reference) {
    const std::string what = fmt::format("{}: {}: {} over the RTL, {} over the cycle reference",
                                         map_.link_name(link), field, rtl, reference);
    parting_ = sim::Failure{"cycle reference", field, links_->bench().runner().now() - 1,
                            sim::LinkEnd{link.from.node, link.from.port}, what};
    part(edge, what);
  }

  void compare_entering(Edge edge, unsigned node, unsigned port, const TopoInputs& inputs,
                        const TopoOutputs& outputs) {
    const bool got = inputs.out_valid.test(port, node) && outputs.out_ready.test(port, node);
    const bool expected =
        frame_.inputs.out_valid.test(port, node) && frame_.outputs.out_ready.test(port, node);
    if (got == expected) return;
    part_at(edge, map_.leaving(node, port), "ready", taken(got), taken(expected));
  }

  void compare_leaving(Edge edge, unsigned node, unsigned port, const TopoInputs& inputs,
                       const TopoOutputs& outputs) {
    const bool got = inputs.in_ready.test(port, node) && outputs.in_valid.test(port, node);
    const bool expected =
        frame_.inputs.in_ready.test(port, node) && frame_.outputs.in_valid.test(port, node);
    const topology::MazeLink& link = map_.arriving(node, port);
    const maze::Payload packet = outputs.in_payload.at(port, node);
    const maze::Payload reference = frame_.outputs.in_payload.at(port, node);
    if (got != expected) {
      part_at(edge, link, "valid", got ? layout_.text(packet) : "no packet",
              expected ? layout_.text(reference) : "no packet");
    }
    if (!got || packet == reference) return;
    part_at(edge, link, "payload", layout_.text(packet), layout_.text(reference));
  }

  [[nodiscard]] static const char* taken(bool moves) {
    return moves ? "packet accepted" : "packet not accepted";
  }

  std::unique_ptr<RtlLinks> links_;
  const Frame& frame_;
  topology::MazeLinks map_;
  maze::PacketLayout layout_;
  std::optional<sim::Failure> parting_;
};

}  // namespace

FabricRun run_side_by_side(const topology::SipSpec& sip, const TransferWorkload& workload,
                           const FabricRunOptions& options) {
  const Shape shape = maze_shape(sip);
  const common::SimTime period = common::SimTime::from_ns(sip.maze.clock_ns);
  const model::fabric::MazeSettings settings{
      .order = sip.maze.order, .receiver_stalls = options.receiver_stalls, .seed = options.seed};
  Frame frame(shape);
  auto following = std::make_unique<FollowingLinks>(
      std::make_unique<RtlLinks>(options.make_dut(options.seed), options.rtl), frame);
  FollowingLinks& links = *following;
  RtlLinks& rtl = links.rtl();

  model::engine::Simulation simulation;
  ClockedFabric reference(
      simulation, period,
      std::make_unique<IdealMaze>(std::make_unique<LeadingLinks>(shape, frame), settings));
  ClockedFabric fabric(simulation, period,
                       std::make_unique<IdealMaze>(std::move(following), settings));
  // At each time the reference runs first, because its player starts first.
  TransferPlayer reference_player(simulation, reference, workload.transfers);
  TransferPlayer player(simulation, fabric, workload.transfers);
  reference_player.start();
  player.start();

  FabricRun run;
  run.fabric = FabricKind::Rtl;
  run.nodes = model::fabric::MazeNodeKind::Ideal;
  run.transfers = workload.transfers.size();
  const auto start = std::chrono::steady_clock::now();
  try {
    simulation.run();
  } catch (const FabricFailure& failure) {
    run.outcome = common::Outcome::Mismatch;
    run.reason = failure.what();
  }
  run.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  run.clocked.emplace().cycles = fabric.cycles();
  rtl.bench().finish(run.outcome != common::Outcome::Pass);
  run.played = player.played();
  std::vector<sim::Failure>& failures = run.rtl.emplace().failures;
  if (links.parting()) failures.push_back(*links.parting());
  for (sim::Failure& failure : rtl.bench().checkers().failures())
    failures.push_back(std::move(failure));
  return run;
}

}  // namespace kernbench::cosim
