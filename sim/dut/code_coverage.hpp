// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "common/atomic_file.hpp"
#include "common/text_file.hpp"
#include "sim/dut/source_names.hpp"

namespace kernbench::sim {

/// Writes the code coverage that a model has counted so far; its files have the user's names.
/// Throws std::logic_error when the model was built without it.
template <typename Dut>
void write_code_coverage(Dut& dut, const SourceNames& names, const std::string& path) {
  dut.write_coverage(path);
  common::write_file_atomically(path, names.user_text(common::read_text_file(path)));
}

/// Returns the message about a model that was built without code coverage.
inline std::string without_code_coverage(const std::string& model, const std::string& device) {
  return model + ": built without code coverage; build a model by `kernbench model " + device +
         "COVERAGE=line,toggle --out FOLDER`";
}

}  // namespace kernbench::sim
