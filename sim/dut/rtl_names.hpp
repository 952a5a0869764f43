// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sim/dut/source_names.hpp"

namespace kernbench::sim {

/// Lets user_text() translate the names of a model's build. A process has one such list: all models
/// that it opens are of the same sources. Thread-safe.
void use_names(SourceNames names);

/// Returns a text of a model, such as a message or a file name of its RTL, with the names that the
/// user gave to the files.
[[nodiscard]] std::string user_text(const std::string& text);

}  // namespace kernbench::sim
