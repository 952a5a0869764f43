// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sim/dut/maze_dut.hpp"
#include "sim/dut/model_library.hpp"
#include "sim/dut/network_dut.hpp"
#include "sim/dut/source_names.hpp"

namespace kernbench::sim {

/// A verilated model in a shared library, a TOPO or a network. Every DUT that it creates keeps the
/// library loaded. The library exports two functions with C linkage: Design::kAbiSymbol, which
/// returns a std::uint32_t, and Design::kCreateSymbol.
template <class Design>
class DesignLibrary {
 public:
  using Create = Design* (*)(std::uint64_t seed, const std::vector<std::string>& plusargs);

  /// Loads a library. Throws common::BadInput when the file is missing, is not such a model, or has
  /// another ABI. `plusargs`, NAME or NAME=VALUE, are those of every DUT.
  explicit DesignLibrary(const std::string& path, std::vector<std::string> plusargs = {})
      : library_(path, Design::kKind, Design::kAbiSymbol, Design::kAbi),
        plusargs_(std::move(plusargs)),
        create_(library_.function<Create>(Design::kCreateSymbol)) {}

  /// Returns a DUT whose flops start with random bits drawn from `seed`.
  [[nodiscard]] std::shared_ptr<Design> create(std::uint64_t seed) const {
    return {create_(seed, plusargs_), [library = library_](Design* dut) { delete dut; }};
  }
  [[nodiscard]] const std::string& path() const { return library_.path(); }
  /// Returns the user's names of the files that the model was built of.
  [[nodiscard]] SourceNames names() const { return library_.names(); }

 private:
  ModelLibrary library_;
  std::vector<std::string> plusargs_;
  Create create_;
};

using DutLibrary = DesignLibrary<MazeDut>;
using NetworkLibrary = DesignLibrary<NetworkDut>;

}  // namespace kernbench::sim
