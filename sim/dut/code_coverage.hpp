// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "common/atomic_file.hpp"
#include "common/diagnostics.hpp"
#include "common/text_file.hpp"
#include "sim/dut/dut.hpp"
#include "sim/dut/source_names.hpp"

namespace kernbench::sim {

/// Writes the code coverage that a model has counted so far; its files have the user's names.
/// Throws std::logic_error when the model was built without it.
inline void write_code_coverage(Model& dut, const SourceNames& names, const std::string& path) {
  dut.write_coverage(path);
  common::write_file_atomically(path, names.user_text(common::read_text_file(path)));
}

/// Throws common::BadInput if the model at `path` was built without code coverage. `device` is the
/// setting of `kernbench model` for it, such as "DEVICE=network ", and empty for TOPO.
inline void require_code_coverage(const Model& dut, const std::string& path,
                                  const std::string& device) {
  if (dut.model_info().coverage) return;
  throw common::BadInput(path +
                         ": built without code coverage; build a model by `kernbench model " +
                         device + "COVERAGE=line,toggle --output FOLDER`");
}

}  // namespace kernbench::sim
