// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "model/bench/what_if.hpp"

namespace kernbench::cli {

/// Prints a table of the numbers that make a difference, with a bar each, and names the others.
void print_tornado(const std::vector<model::bench::TornadoRow>& rows);

}  // namespace kernbench::cli
