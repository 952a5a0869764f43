// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "sim/dut/source_names.hpp"

namespace kernbench::sim {

/// A shared library with a verilated model. Copies share the library, which stays loaded while one
/// of them lives.
class ModelLibrary {
 public:
  /// Loads a library. Throws common::BadInput when the file is missing, has another interface than
  /// `abi`, or does not export `abi_symbol`: it is no `kind`, such as "TOPO model".
  ModelLibrary(std::string path, std::string kind, const char* abi_symbol, std::uint32_t abi);

  /// Returns a function of the library. Throws common::BadInput when it exports none of that name.
  template <typename Function>
  [[nodiscard]] Function function(const char* name) const {
    return reinterpret_cast<Function>(symbol(name));
  }
  [[nodiscard]] const std::string& path() const { return path_; }
  /// Returns the names that the builder has left beside the library; empty if there are none.
  [[nodiscard]] SourceNames names() const;

 private:
  [[nodiscard]] void* symbol(const char* name) const;

  std::string path_;
  std::string kind_;
  std::shared_ptr<void> handle_;
};

}  // namespace kernbench::sim
