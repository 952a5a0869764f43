// SPDX-License-Identifier: Apache-2.0
// Operations and transfers in the report of a co-simulation, and where they are described. They are
// views of the results and do not outlive them.
#pragma once

#include <cstddef>

#include "common/described.hpp"
#include "cosim/report/transfer_paths.hpp"
#include "cosim/run/cosim.hpp"

namespace kernbench::cosim {

/// An operation of a machine.
struct OperationRow {
  const WorkloadResult& result;
  std::size_t index = 0;
};
struct TransferRow {
  const TransferPaths& paths;
  const WorkloadResult& result;
  std::size_t index = 0;

  [[nodiscard]] const model::fabric::TimedTransfer& transfer() const {
    return result.workload.transfers[index];
  }
};

}  // namespace kernbench::cosim

namespace kernbench::common {

template <>
const Description<cosim::OperationRow>& description_of();
template <>
const Description<cosim::TransferRow>& description_of();

}  // namespace kernbench::common
