// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace kernbench::sim {

/// Returns the header kb_members.hpp of a verilated model: a table of the variables of the RTL that
/// its classes have, with their names in the RTL, and `each_model_part`, which visits the parts of
/// a model with their tables. `folder` has the C++ that Verilator wrote, whose names begin with
/// `prefix`. Registers of any model can be read through it; the model itself stays as it is.
[[nodiscard]] std::string members_header(const std::filesystem::path& folder,
                                         const std::string& prefix);

}  // namespace kernbench::sim
