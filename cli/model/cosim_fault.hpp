// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cosim/run/cosim.hpp"
#include "topology/spec/spec_forward.hpp"

namespace kernbench::cli {

/// Sets the fault that the value of --fault names, unless it is empty, in the options of runs with
/// their fabrics, nodes and network between SIPs. Throws common::BadInput for a name that is not
/// one of a fault of their RTL, and without runs over RTL.
void set_fault(const std::string& text, const topology::SipSpec& sip, cosim::Options& run);

}  // namespace kernbench::cli
