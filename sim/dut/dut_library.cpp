// SPDX-License-Identifier: Apache-2.0
#include "sim/dut/dut_library.hpp"

namespace kernbench::sim {

DutLibrary DutLibrary::open(const std::string& path, std::vector<std::string> plusargs) {
  return {ModelLibrary(path, "TOPO model", kDutAbiSymbol, kDutAbi), std::move(plusargs)};
}

}  // namespace kernbench::sim
