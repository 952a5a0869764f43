#pragma once

#include "model/components/machine/component.hpp"

namespace kernbench::model::components {

/// Routers, connections, PHYs, NOCs and switches (Architecture, "forwarding"). Each adds its own
/// overhead to what passes, which the network does for every node, and is no end of any message.
class Forwarding : public Component {
 public:
  using Component::Component;
};

}  // namespace kernbench::model::components
