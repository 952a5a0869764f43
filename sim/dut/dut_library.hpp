// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "sim/dut/maze_dut.hpp"
#include "sim/dut/model_library.hpp"
#include "sim/dut/source_names.hpp"

namespace kernbench::sim {

/// A verilated TOPO model in a shared library. Every DUT that it creates keeps the library loaded.
class DutLibrary {
 public:
  /// Loads a library. Throws common::BadInput when the file is missing, is not a model, or has
  /// another DUT ABI.
  static DutLibrary open(const std::string& path);

  /// Returns a fabric whose flops start with random bits drawn from `seed`.
  [[nodiscard]] std::shared_ptr<MazeDut> create(std::uint64_t seed) const {
    return {create_(seed), [library = library_](MazeDut* dut) { delete dut; }};
  }
  [[nodiscard]] const std::string& path() const { return library_.path(); }
  /// Returns the user's names of the files that the model was built of.
  [[nodiscard]] SourceNames names() const { return library_.names(); }

 private:
  explicit DutLibrary(ModelLibrary library)
      : library_(std::move(library)),
        create_(library_.function<CreateDutFunction>(kCreateDutSymbol)) {}

  ModelLibrary library_;
  CreateDutFunction create_;
};

}  // namespace kernbench::sim
