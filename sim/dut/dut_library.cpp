// SPDX-License-Identifier: Apache-2.0
#include "sim/dut/dut_library.hpp"

namespace kernbench::sim {

DutLibrary DutLibrary::open(const std::string& path) {
  return DutLibrary(ModelLibrary(path, "TOPO model", kDutAbiSymbol, kDutAbi));
}

}  // namespace kernbench::sim
