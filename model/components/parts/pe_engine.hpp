#pragma once

#include <array>
#include <vector>

#include "model/components/machine/component.hpp"
#include "model/components/machine/pe_command.hpp"
#include "topology/graph/kinds.hpp"

namespace kernbench::model::components {

/// A part of a PE, which reaches the other parts over the wires within the PE.
class PePart : public Component {
 public:
  using Component::Component;

 protected:
  /// A message of request_bytes to another part.
  void send_to(topology::NodeKind part, const trace::Label& label, Payload payload);

 private:
  /// Wires to the other parts, found when first needed.
  std::array<const transport::Route*, topology::kNodeKinds> routes_{};
};

/// An engine that works on tiles and sends each on to its next engine by itself, so that the
/// scheduler need not (Architecture, "pe_scheduler"). A stage that the same engine does next needs
/// no message, and no overhead again.
class PeEngine : public PePart {
 public:
  using PePart::PePart;
  void on_message(Message message) override;

 protected:
  /// Works on the stage that the token is at, and calls advance() when it is done.
  virtual void accept(TileToken& token) = 0;
  void advance(TileToken& token);
};

/// The engine of a kind of stage.
[[nodiscard]] topology::NodeKind engine_of(StageKind stage);

}  // namespace kernbench::model::components
