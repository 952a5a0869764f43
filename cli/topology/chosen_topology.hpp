// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "topology/zoo/base/base_topology.hpp"

namespace kernbench::cli {

/// Returns the base topology of a text, or of a file if `spec` is not empty, and prints what the
/// topology leaves out of the file. Throws common::BadInput for both at a time.
[[nodiscard]] topology::zoo::TopologyPtr chosen_base_topology(const std::string& text,
                                                              const std::string& spec);

}  // namespace kernbench::cli
