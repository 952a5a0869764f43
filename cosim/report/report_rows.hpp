// SPDX-License-Identifier: Apache-2.0
// The parts of the report of a co-simulation, and where they are described. They are views of the
// results and do not outlive them.
#pragma once

#include <cstddef>
#include <vector>

#include "common/described.hpp"
#include "cosim/report/transfer_paths.hpp"
#include "cosim/run/cosim.hpp"

namespace kernbench::cosim {

/// The SIP of all workloads.
struct Place {
  const topology::SipSpec& sip;
  TransferPaths paths;
};
struct WorkloadRow {
  const Place& place;
  const WorkloadResult& result;
};
struct RunRow {
  const Place& place;
  const WorkloadResult& result;
  const FabricRun& run;
};
/// The network between the SIPs of a machine.
struct BetweenRow {
  const FabricRun& run;
};
/// The links of a clocked fabric.
struct LinksRow {
  const Place& place;
  const FabricRun& run;
};

}  // namespace kernbench::cosim

namespace kernbench::common {

template <>
const Description<cosim::WorkloadRow>& description_of();
template <>
const Description<cosim::RunRow>& description_of();
template <>
const Description<cosim::BetweenRow>& description_of();
template <>
const Description<cosim::LinksRow>& description_of();

}  // namespace kernbench::common
