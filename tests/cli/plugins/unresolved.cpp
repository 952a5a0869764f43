// SPDX-License-Identifier: Apache-2.0
// A plugin that uses a function of the program that is not for plugins.
#include <kernbench/plugin.hpp>
#include <string>

KERNBENCH_PLUGIN("unresolved", "1.0");

namespace kernbench::cli {
std::string exit_code_text();
}

__attribute__((used)) static const std::string kText = kernbench::cli::exit_code_text();
