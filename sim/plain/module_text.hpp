// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

#include "sim/plain/logic_text.hpp"

namespace kernbench::sim::plain {

/// The text of a module in Verilog-2005 without its name and parameters, which follow `module`.
/// Constants are marked (logic_text.hpp). `instance_of` returns the text that stands before the
/// name of an instance of a module: its name and parameters.
[[nodiscard]] std::string module_text(
    const structure::Design& design, const structure::Module& module, const Bundles& bundles,
    const std::function<std::string(const structure::Module&)>& instance_of);

}  // namespace kernbench::sim::plain
