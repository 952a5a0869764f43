// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "common/api.hpp"

namespace kernbench::model::ccl {

// ccl.yaml can name an algorithm by a file of another language, such as "center.py". The folder of
// ccl.yaml is the one that its path begins at.

/// Registers the algorithm that a file states, under `name`. Throws common::BadInput.
using ReadAlgorithm = void (*)(const std::string& path, const std::string& name);
/// Sets what reads such files. To be called before the first ccl.yaml is read.
void read_algorithms_by(ReadAlgorithm read);

/// Returns true for the name of an algorithm that is a file.
[[nodiscard]] bool is_algorithm_file(std::string_view name);
/// Registers the algorithm of a file, if none of this name is registered. Throws common::BadInput.
void read_algorithm(const std::string& path, const std::string& name);

}  // namespace kernbench::model::ccl
