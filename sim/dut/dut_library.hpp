// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sim/dut/maze_dut.hpp"
#include "sim/dut/model_library.hpp"
#include "sim/dut/source_names.hpp"

namespace kernbench::sim {

/// A verilated TOPO model in a shared library. Every DUT that it creates keeps the library loaded.
class DutLibrary {
 public:
  /// Loads a library. Throws common::BadInput when the file is missing, is not a model, or has
  /// another DUT ABI. `plusargs`, NAME or NAME=VALUE, are those of every fabric.
  static DutLibrary open(const std::string& path, std::vector<std::string> plusargs = {});

  /// Returns a fabric whose flops start with random bits drawn from `seed`.
  [[nodiscard]] std::shared_ptr<MazeDut> create(std::uint64_t seed) const {
    return {create_(seed, plusargs_), [library = library_](MazeDut* dut) { delete dut; }};
  }
  [[nodiscard]] const std::string& path() const { return library_.path(); }
  /// Returns the user's names of the files that the model was built of.
  [[nodiscard]] SourceNames names() const { return library_.names(); }

 private:
  DutLibrary(ModelLibrary library, std::vector<std::string> plusargs)
      : library_(std::move(library)),
        plusargs_(std::move(plusargs)),
        create_(library_.function<CreateDutFunction>(kCreateDutSymbol)) {}

  ModelLibrary library_;
  std::vector<std::string> plusargs_;
  CreateDutFunction create_;
};

}  // namespace kernbench::sim
