#pragma once

#include <cstdint>
#include <vector>

#include "maze/link_frame.hpp"
#include "sim/fault/fault_spec.hpp"
#include "topology/maze_links.hpp"

namespace kernbench::sim {

/// Breaks one link in one way, once or from a cycle on. The harness calls the four hooks in every
/// cycle, in the order of declaration.
class FaultInjector {
 public:
  /// A spec without a link gets one drawn from `seed`.
  FaultInjector(const maze::Shape& shape, const topology::MazeLinks& links, FaultSpec spec,
                std::uint64_t seed);

  /// Changes what the receivers and senders themselves want to do.
  void surroundings(std::uint64_t cycle, maze::TopoInputs& intended);
  /// Changes what reaches the fabric and its reference alike.
  void stimulus(std::uint64_t cycle, maze::TopoInputs& driven);
  /// Changes what reaches the fabric alone.
  void pins(std::uint64_t cycle, maze::TopoInputs& pins);
  /// Changes what the observers see; `driven` is what they believe to be on the pins.
  void observed(std::uint64_t cycle, const maze::TopoInputs& driven, maze::TopoOutputs& outputs);

  /// The cycle in which the fault first made a difference.
  [[nodiscard]] std::optional<std::uint64_t> injected_at() const { return injected_at_; }
  [[nodiscard]] LinkEnd link() const { return source_; }
  [[nodiscard]] const FaultSpec& spec() const { return spec_; }

 private:
  void mark(std::uint64_t cycle);
  void change_packets(std::uint64_t cycle, bool fires, bool ready, maze::TopoOutputs& outputs);
  void replay(bool ready, maze::TopoOutputs& outputs);
  void change_handshake(std::uint64_t cycle, const maze::TopoInputs& driven,
                        maze::TopoOutputs& outputs);
  [[nodiscard]] maze::Payload changed(maze::Payload packet) const;

  maze::Shape shape_;
  FaultSpec spec_;
  LinkEnd source_;
  unsigned sink_;          ///< node at the link's other end
  unsigned other_source_;  ///< of another link with the same port
  unsigned other_sink_;
  unsigned bit_;  ///< payload bit that flips

  enum class Step { Waiting, Holding, Replaying, Done };
  Step step_ = Step::Waiting;
  maze::Payload kept_ = 0;  ///< the packet that comes again, late or out of turn
  maze::Payload last_ = 0;  ///< the last packet that the link delivered
  bool delivered_ = false;
  std::optional<std::uint64_t> injected_at_;
};

}  // namespace kernbench::sim
