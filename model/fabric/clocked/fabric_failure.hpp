#pragma once

#include <fmt/format.h>

#include <stdexcept>
#include <string>

#include "model/fabric/seam/fabric_clock.hpp"

namespace kernbench::model::fabric {

/// A fabric did not do what it is there for: a packet was lost, changed, or came where it does not
/// belong. It ends the run.
class FabricFailure : public std::runtime_error {
 public:
  FabricFailure(Edge edge, const std::string& what)
      : std::runtime_error(fmt::format("edge {}: {}", edge, what)), edge_(edge) {}
  [[nodiscard]] Edge edge() const { return edge_; }

 private:
  Edge edge_;
};

}  // namespace kernbench::model::fabric
