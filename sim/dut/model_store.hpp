#pragma once

#include <string>

#include "maze/link_frame.hpp"

namespace kernbench::sim {

/// Which verilated TOPO is wanted.
struct ModelRequest {
  maze::Shape shape;
  bool checkers = true;
  bool trace = false;
  std::string rtl_dir;  ///< another folder of RTL sources; empty: the repository's own
};

/// Builds TOPO models on demand through `Makefile.verilator` and keeps them under one folder.
/// make decides what is up to date, so that a changed source is never run stale.
class ModelStore {
 public:
  /// `root` holds Makefile.verilator; `folder` takes the models and is created.
  ModelStore(std::string root, std::string folder);

  /// Path of the up-to-date model library, built first if need be.
  /// Throws common::BadInput with the end of the build's log when it cannot be built.
  [[nodiscard]] std::string ensure(const ModelRequest& request) const;
  /// Where `ensure` puts the library.
  [[nodiscard]] std::string library_path(const ModelRequest& request) const;

 private:
  [[nodiscard]] std::string model_folder(const ModelRequest& request) const;

  std::string root_;
  std::string folder_;
};

}  // namespace kernbench::sim
