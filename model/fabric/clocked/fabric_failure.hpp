// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <stdexcept>
#include <string>

#include "model/fabric/seam/fabric_clock.hpp"

namespace kernbench::model::fabric {

/// Reports that a fabric lost, changed or misrouted a packet, or stopped moving. It ends the run.
class FabricFailure : public std::runtime_error {
 public:
  FabricFailure(Edge edge, const std::string& what)
      : std::runtime_error(fmt::format("edge {}: {}", edge, what)), edge_(edge) {}
  [[nodiscard]] Edge edge() const { return edge_; }

 private:
  Edge edge_;
};

}  // namespace kernbench::model::fabric
