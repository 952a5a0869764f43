// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "maze/link_frame.hpp"
#include "sim/fault/fault_spec.hpp"
#include "sim/harness/ports.hpp"
#include "sim/harness/tap.hpp"

namespace kernbench::sim {

/// Breaks one link or port in one way, once or permanently. Changes in every cycle, in this order,
/// what the surroundings intend, the stimulus, the pins and the observed outputs. At a link of a
/// network, where it has no pins, it changes what the observers see.
class FaultInjector final : public Tap {
 public:
  /// Draws one of `ports` from `seed` when the spec names none.
  FaultInjector(const maze::Shape& shape, const Ports& ports, FaultSpec spec, std::uint64_t seed);

  Inputs drive(std::uint64_t cycle, maze::TopoInputs& intended) override;
  void observe(std::uint64_t cycle, maze::TopoOutputs& outputs) override;
  void observe_links(std::uint64_t cycle, LinkSignals& signals) override;

  /// The cycle in which the fault first made a difference, if it did.
  [[nodiscard]] std::optional<std::uint64_t> injected_at() const { return injected_at_; }
  /// The port, as results name it.
  [[nodiscard]] LinkEnd link() const { return end_; }
  [[nodiscard]] const FaultSpec& spec() const { return spec_; }

 private:
  /// Changes the intentions of senders and receivers.
  void change_surroundings(std::uint64_t cycle, maze::TopoInputs& intended);
  /// Changes the inputs of the fabric and of its reference.
  void change_stimulus(std::uint64_t cycle, maze::TopoInputs& driven);
  /// Changes the inputs of the fabric only.
  void change_pins(std::uint64_t cycle, maze::TopoInputs& pins);
  void mark(std::uint64_t cycle);
  /// Changes what the observers see, of ports that are driven so.
  void change_outputs(std::uint64_t cycle, const maze::TopoInputs& driven,
                      maze::TopoOutputs& outputs);
  void change_packets(std::uint64_t cycle, bool fires, bool ready, maze::TopoOutputs& outputs);
  void replay(bool ready, maze::TopoOutputs& outputs);
  void change_handshake(std::uint64_t cycle, const maze::TopoInputs& driven,
                        maze::TopoOutputs& outputs);
  /// Returns the packet as a fault of packet contents changes it, and unchanged for other faults.
  [[nodiscard]] maze::Payload changed(maze::Payload packet) const;

  maze::Shape shape_;
  FaultSpec spec_;
  LinkEnd end_;
  bool at_pins_;           ///< false at a link of a network
  unsigned port_;          ///< port of the signals that are changed
  unsigned source_;        ///< sending node
  unsigned sink_;          ///< receiving node
  unsigned other_source_;  ///< sending node of another link or user on the same port
  unsigned other_sink_;    ///< its receiving node
  unsigned bit_;           ///< payload bit that flips
  maze::TopoInputs driven_;
  maze::TopoInputs pins_;

  enum class Step { Waiting, Holding, Replaying, Done };
  Step step_ = Step::Waiting;
  maze::Payload kept_ = 0;  ///< packet to be delivered again or out of order
  maze::Payload last_ = 0;  ///< last packet that the link delivered
  bool delivered_ = false;  ///< `last_` is set
  std::optional<std::uint64_t> injected_at_;
};

}  // namespace kernbench::sim
