// SPDX-License-Identifier: Apache-2.0
// The cycle reference as a model library, in place of a verilated one. The plusarg "silent" breaks
// it.
#include <algorithm>

#include "reference_dut.hpp"

namespace {

/// Neither accepts nor delivers a packet.
class SilentDut final : public kernbench::sim::ReferenceDut {
 public:
  using ReferenceDut::ReferenceDut;
  void sample(kernbench::maze::TopoOutputs& outputs) const override {
    outputs = kernbench::maze::TopoOutputs(info().shape);
  }
};

}  // namespace

extern "C" __attribute__((visibility("default"))) std::uint32_t kernbench_dut_abi() {
  return KB_REFERENCE_ABI;
}

extern "C" __attribute__((visibility("default"))) kernbench::sim::MazeDut* kernbench_create_dut(
    std::uint64_t /*seed*/, const std::vector<std::string>& plusargs) {
  if (std::find(plusargs.begin(), plusargs.end(), "silent") != plusargs.end()) {
    return new SilentDut({KB_REFERENCE_SHAPE});
  }
  return new kernbench::sim::ReferenceDut({KB_REFERENCE_SHAPE});
}
