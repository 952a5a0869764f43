// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <verilated.h>
#if KB_COVERAGE
#include <verilated_cov.h>
#endif

#include <stdexcept>
#include <string>

namespace kernbench::sim {

/// Writes the code coverage that a model has counted. Throws std::logic_error without KB_COVERAGE.
inline void write_verilated_coverage([[maybe_unused]] VerilatedContext& context,
                                     [[maybe_unused]] const std::string& path) {
#if KB_COVERAGE
  context.coveragep()->write(path.c_str());
#else
  throw std::logic_error("this model was built without coverage");
#endif
}

}  // namespace kernbench::sim
