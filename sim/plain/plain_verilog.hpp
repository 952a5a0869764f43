// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sim/structure/design.hpp"

namespace kernbench::sim::plain {

/// Returns a module of an elaborated design, and all modules below it, as Verilog-2005. `root` is
/// its name in the sources.
///
/// Modules keep their hierarchy and the names of their signals and instances, as escaped names
/// where generate blocks are part of them. A module with several sets of parameters becomes one
/// module for each set, named after the parameters that differ, or one with parameters if they
/// differ in constants alone. An interface becomes a vector for each of its signals, PORT_SIGNAL;
/// arrays are vectors with element 0 lowest.
///
/// Throws common::BadInput with file and line for what Verilog-2005 cannot say, or this function
/// does not know how to say.
[[nodiscard]] std::string plain_verilog(const structure::Design& design, const std::string& root);

}  // namespace kernbench::sim::plain
