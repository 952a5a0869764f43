// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "maze/link_frame.hpp"
#include "sim/dut/rtl_sources.hpp"

namespace kernbench::sim {

/// Variant of a verilated TOPO.
struct ModelRequest {
  maze::Shape shape;
  bool checkers = true;
  bool trace = false;
  RtlRequest rtl;
  /// One IRS_N of `rtl`, which must not be the shipped one, in place of its TOPO. Macros of `rtl`
  /// are its parameters (tb/primitive/); the shape must be 2x2. There are no checkers.
  bool primitive = false;
};

/// The dump of a design, which a model of the same hash may accompany.
struct ElaboratedDesign {
  std::string folder;      ///< contains `dump/`
  std::string build_hash;  ///< that of DutInfo
};

/// Builds TOPO models on demand with `Makefile.verilator` and keeps them in one folder. make
/// decides whether a model is up to date, so a model never runs with outdated sources. A model of
/// other RTL has a folder of its own, named by a hash of the request.
class ModelStore {
 public:
  /// `root` contains Makefile.verilator. `folder` is created and holds the models.
  ModelStore(std::string root, const std::string& folder);

  /// Builds the model library if it is out of date, and returns its path. Throws common::BadInput
  /// with the end of the build log when the build fails.
  [[nodiscard]] std::string ensure(const ModelRequest& request) const;
  /// Builds the model of a whole network (`NetworkDut`) if it is out of date, and returns its path.
  /// `checkers` adds those of its nodes, which other RTL cannot have. Ports C are seen, but not in
  /// other RTL. Throws common::BadInput with the end of the build log when the build fails.
  [[nodiscard]] std::string ensure_network(const maze::Shape& shape, bool checkers,
                                           const RtlRequest& rtl = {}) const;
  /// Elaborates the design of a model, without building it, if its dump is out of date. Returns the
  /// folder that has the dump, which is that of the model. Throws common::BadInput with the end of
  /// the log when that fails.
  [[nodiscard]] ElaboratedDesign ensure_design(const ModelRequest& request) const;
  /// Does the same for a network.
  [[nodiscard]] ElaboratedDesign ensure_network_design(const maze::Shape& shape,
                                                       const RtlRequest& rtl = {}) const;
  /// Builds the model with waves that belongs to the one in `library`: of the same sources, with
  /// the same settings, in a folder beside it whose name ends in "-trace". `build_hash` is that of
  /// the library. Throws common::BadInput when the library's folder does not tell how it was built,
  /// when its sources have changed since, or when the build fails.
  [[nodiscard]] std::string ensure_traced(const std::string& library,
                                          const std::string& build_hash) const;
  /// Returns the path at which `ensure` puts the library.
  [[nodiscard]] std::string library_path(const ModelRequest& request) const;

 private:
  /// Runs a target of Makefile.verilator. Throws common::BadInput that says that `what` failed.
  void make(const std::string& target, const std::vector<std::string>& settings,
            const std::string& log, const std::string& what) const;
  [[nodiscard]] std::string model_folder(const ModelRequest& request) const;
  /// Creates the folder of a network and returns it.
  [[nodiscard]] std::string network_folder(const maze::Shape& shape, bool checkers,
                                           const RtlRequest& rtl) const;
  /// Finds the sources of other RTL of a network. A folder has its own network/maze.f.
  [[nodiscard]] RtlSources find_network_rtl(RtlRequest rtl) const;
  [[nodiscard]] std::vector<std::string> network_settings(const maze::Shape& shape, bool checkers,
                                                          const RtlRequest& rtl,
                                                          const std::string& folder) const;
  /// Returns the settings of Makefile.verilator for a model in `folder`, where it writes the
  /// arguments that name other RTL.
  [[nodiscard]] std::vector<std::string> settings_of(const ModelRequest& request,
                                                     const std::string& folder) const;

  std::string root_;
  std::string folder_;
};

}  // namespace kernbench::sim
