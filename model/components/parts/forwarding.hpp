// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/api.hpp"
#include "model/components/machine/component.hpp"

namespace kernbench::model::components {

// Nodes that messages pass and never end at. The network adds the overhead of every node that a
// message passes, so these components have nothing to do.

/// Routers, connections, PHYs, NOCs and switches (Architecture, "forwarding").
class KERNBENCH_API Forwarding : public Component {
 public:
  using Component::Component;
};

/// The protocol boundary between host and device (Architecture, "pcie_ep"). Messages in either
/// direction pay its protocol overhead. Credits and retries are not modelled.
class PcieEp : public Component {
 public:
  using Component::Component;
};

}  // namespace kernbench::model::components
