// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/structure/dump.hpp"

namespace kernbench::sim::structure {

/// Gives the declarations of a dump that refers by name (XML) an identity, and every reference to
/// them its target, by the scoping rules of SystemVerilog. References into interfaces get no target
/// there; in every dump they get the generate blocks that declare the interface.
void resolve_names(Dump& dump);

}  // namespace kernbench::sim::structure
