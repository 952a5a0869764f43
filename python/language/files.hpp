// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "model/bench/bench_file.hpp"

namespace kernbench::python {

// Reading of files in Python. CPython must have started, and the thread must not hold the GIL.

/// Registers the benches of a file. Throws common::BadInput.
[[nodiscard]] model::bench::BenchFile read_benches(const std::string& path);
/// Returns the algorithm that the module in a file states, with the name `name`. Throws
/// common::BadInput.
[[nodiscard]] model::ccl::AlgorithmOfFile read_algorithm(const std::string& path,
                                                         const std::string& name);

}  // namespace kernbench::python
