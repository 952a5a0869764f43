// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace kernbench::sim::structure {

/// Returns the text of a dump with '?' in place of what XML and JSON do not allow: Verilator copies
/// the control characters of strings, also as references such as `&#27;`, and names of files that
/// are not UTF-8. Neither is part of the design.
[[nodiscard]] std::string allowed_text(std::string text);

}  // namespace kernbench::sim::structure
