// SPDX-License-Identifier: Apache-2.0
// Alone in its unit, since the generated header changes with every header for plugins.
#include <kernbench/api_hash.hpp>

#include "model/plugin/plugin.hpp"

namespace kernbench::model::plugin {

std::string_view api_hash() {
  return KERNBENCH_API_HASH;
}

}  // namespace kernbench::model::plugin
