// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "common/api.hpp"
#include "model/components/machine/component_registry.hpp"

namespace kernbench::model::components {

/// Replaces a component of `parts/` in all machines. A plugin's file needs only this line:
///
///     const ComponentRegistration kHbm{"hbm_ctrl", make_component<SlowHbm>};
///
/// Other components may convert a component to the type of `parts/`, so that the new one derives
/// from it or supports everything that it does.
class KERNBENCH_API ComponentRegistration {
 public:
  /// Refuses an unknown name and one that is already replaced.
  ComponentRegistration(const std::string& name, ComponentRegistry::Factory factory);
};

/// Makes a component of type T.
template <typename T>
std::unique_ptr<Component> make_component(Machine& machine, topology::NodeId node) {
  return std::make_unique<T>(machine, node);
}

}  // namespace kernbench::model::components
