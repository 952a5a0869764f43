// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <vector>

#include "common/api.hpp"
#include "model/components/machine/component.hpp"
#include "model/components/machine/pe_command.hpp"
#include "topology/graph/kinds.hpp"

namespace kernbench::model::components {

/// A part of a PE. It reaches the other parts over the wires within the PE.
class KERNBENCH_API PePart : public Component {
 public:
  using Component::Component;

 protected:
  /// Sends a message of request_bytes to another part.
  void send_to(topology::NodeKind part, const trace::Label& label, Payload payload);

 private:
  /// Routes to the other parts, by kind; null until first used.
  std::array<const transport::Route*, topology::kNodeKinds> routes_{};
};

/// An engine that works on tiles and forwards each one to its next engine, without the scheduler
/// (Architecture, "pe_scheduler"). If the next stage runs on the same engine, it costs no message
/// and no overhead.
class KERNBENCH_API PeEngine : public PePart {
 public:
  using PePart::PePart;
  void on_message(Message message) override;

 protected:
  /// Works on the current stage of the token and calls advance() when it is done.
  virtual void accept(TileToken& token) = 0;
  /// Ends the current stage and forwards the token.
  void advance(TileToken& token);
};

/// Returns the engine that does a kind of stage.
[[nodiscard]] KERNBENCH_API topology::NodeKind engine_of(StageKind stage);

}  // namespace kernbench::model::components
