// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

#include "sim/structure/netlist.hpp"

namespace kernbench::sim::structure {

/// Where the value of a bit comes from through wires alone.
struct Origin {
  enum class Kind {
    Bit,       ///< a bit at which the trace was told to stop
    Nothing,   ///< no driver
    Several,   ///< more than one driver
    Constant,  ///< always 0, or always 1
    Function,  ///< logic
    Register,
  };
  Kind kind = Kind::Nothing;
  BitId bit = 0;          ///< the last bit of the trace
  bool inverted = false;  ///< inverted an odd number of times
  bool one = false;       ///< value of a constant, before the inversion
  Place place;            ///< the last driver's or, at the end of wires, inversion's
};

/// Follows the only driver of `bit` backwards while it is a wire. Ends at bits for which `stop`
/// returns true.
[[nodiscard]] Origin trace_back(const Netlist& netlist, BitId bit,
                                const std::function<bool(BitId)>& stop);

/// Returns the text of an origin other than Kind::Bit, such as "logic (rtl/topo.sv:12)".
[[nodiscard]] std::string describe(const Netlist& netlist, const Origin& origin);

}  // namespace kernbench::sim::structure
