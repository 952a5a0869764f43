// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sim/dut/model_library.hpp"
#include "sim/dut/network_dut.hpp"

namespace kernbench::sim {

/// A verilated network in a shared library. Every network that it creates keeps the library loaded.
class NetworkLibrary {
 public:
  /// Loads a library. Throws common::BadInput when the file is missing, is not a network model, or
  /// has another ABI. `plusargs`, NAME or NAME=VALUE, are those of every network.
  explicit NetworkLibrary(const std::string& path, std::vector<std::string> plusargs = {})
      : library_(path, "network model", kNetworkAbiSymbol, kNetworkAbi),
        plusargs_(std::move(plusargs)),
        create_(library_.function<CreateNetworkFunction>(kCreateNetworkSymbol)) {}

  /// Returns a network whose flops start with random bits drawn from `seed`.
  [[nodiscard]] std::shared_ptr<NetworkDut> create(std::uint64_t seed) const {
    return {create_(seed, plusargs_), [library = library_](NetworkDut* dut) { delete dut; }};
  }

  /// Returns the names that the builder gave to the user's files.
  [[nodiscard]] SourceNames names() const { return library_.names(); }

 private:
  ModelLibrary library_;
  std::vector<std::string> plusargs_;
  CreateNetworkFunction create_;
};

}  // namespace kernbench::sim
