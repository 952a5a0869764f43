#pragma once

#include "model/components/machine/component_registry.hpp"

namespace kernbench::model::components {

/// Returns all components of this folder. To replace one, copy the registry and add() to the copy.
[[nodiscard]] const ComponentRegistry& standard_components();

}  // namespace kernbench::model::components
