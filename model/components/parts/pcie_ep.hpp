#pragma once

#include "model/components/machine/component.hpp"

namespace kernbench::model::components {

/// The protocol boundary between host and device (Architecture, "pcie_ep"): what passes, either
/// way, pays its protocol overhead. No credits, no retries, no end of any message.
class PcieEp : public Component {
 public:
  using Component::Component;
};

}  // namespace kernbench::model::components
