// SPDX-License-Identifier: Apache-2.0
// The cycle reference as a model library, in place of one built by Makefile.verilator.
#include "reference_dut.hpp"

extern "C" __attribute__((visibility("default"))) std::uint32_t kernbench_dut_abi() {
  return KB_REFERENCE_ABI;
}

extern "C" __attribute__((visibility("default"))) kernbench::sim::MazeDut* kernbench_create_dut(
    std::uint64_t /*seed*/, const std::vector<std::string>& /*plusargs*/) {
  return new kernbench::sim::ReferenceDut({KB_REFERENCE_SHAPE});
}
