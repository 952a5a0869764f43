// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "maze/link_frame.hpp"
#include "sim/build/build_settings.hpp"
#include "sim/build/model_builder.hpp"
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

/// Variant of a verilated network.
struct NetworkRequest {
  maze::Shape shape;
  unsigned high_bound = 16;     ///< grants of high in a row while a low packet waits; 0: no bound
  bool fixed_priority = false;  ///< the lowest input wins within a level
  bool checkers = false;        ///< checkers of its nodes, which other RTL cannot have
  RtlRequest rtl;               ///< ports C of other RTL are not seen
};

/// Variant of a verilated network of any topology.
struct NocRequest {
  std::string name;  ///< part of the name of the model's folder, without blanks and slashes
  unsigned nodes = 1, channels = 0, vcs = 1, flit_bits = 64;
  bool checkers = true;  ///< checkers of its links and routers
  RtlRequest rtl;        ///< never the repository's own: it is generated
};

/// The dump of a design, which a model of the same hash may accompany.
struct ElaboratedDesign {
  std::string folder;      ///< contains `dump/`
  std::string build_hash;  ///< that of DutInfo
};

/// Builds models on demand and keeps them in one folder. A model is built again when a file that it
/// was built of has changed, so a model never runs with outdated sources. A model of other RTL has
/// a folder of its own, named by a hash of the request.
class ModelStore {
 public:
  /// `root` contains rtl/, tb/ and sim/. `folder` is created and holds the models.
  ModelStore(std::string root, const std::string& folder);

  /// Builds the model library if it is out of date, and returns its path. Throws common::BadInput
  /// with the errors of the build log when the build fails.
  [[nodiscard]] std::string ensure(const ModelRequest& request) const;
  /// Builds the model of a whole network (`NetworkDut`) if it is out of date, and returns its path.
  /// Throws common::BadInput with the errors of the build log when the build fails.
  [[nodiscard]] std::string ensure_network(const NetworkRequest& request) const;
  /// Builds the model of a network of any topology (`NocDut`) if it is out of date, and returns its
  /// path. Throws common::BadInput with the errors of the build log when the build fails.
  [[nodiscard]] std::string ensure_noc(const NocRequest& request) const;
  /// Elaborates the design of a model, without building it, if its dump is out of date. Returns the
  /// folder that has the dump, which is that of the model. Throws common::BadInput with the errors
  /// of the log when that fails.
  [[nodiscard]] ElaboratedDesign ensure_design(const ModelRequest& request) const;
  /// Does the same for a network.
  [[nodiscard]] ElaboratedDesign ensure_network_design(const maze::Shape& shape,
                                                       const RtlRequest& rtl) const;
  /// Does the same for a network of any topology.
  [[nodiscard]] ElaboratedDesign ensure_noc_design(const NocRequest& request) const;
  /// Builds the model with waves that belongs to the one in `library`: of the same sources, with
  /// the same settings, in a folder beside it whose name ends in "-trace". `build_hash` is that of
  /// the library. Throws common::BadInput when the library's folder does not tell how it was built,
  /// when its sources have changed since, or when the build fails.
  [[nodiscard]] std::string ensure_traced(const std::string& library,
                                          const std::string& build_hash) const;
  /// Returns true if `ensure` has nothing to build.
  [[nodiscard]] bool is_current(const ModelRequest& request) const;
  /// Returns true if `ensure_network` has nothing to build.
  [[nodiscard]] bool is_network_current(const NetworkRequest& request) const;
  /// Returns true if `ensure_noc` has nothing to build.
  [[nodiscard]] bool is_noc_current(const NocRequest& request) const;
  /// Returns the sources of a model as they are now, as far as they are known.
  [[nodiscard]] SourceState sources(const ModelRequest& request) const;
  /// Does the same for a network.
  [[nodiscard]] SourceState network_sources(const NetworkRequest& request) const;
  /// Does the same for a network of any topology.
  [[nodiscard]] SourceState noc_sources(const NocRequest& request) const;
  /// Returns the path at which `ensure` puts the library.
  [[nodiscard]] std::string library_path(const ModelRequest& request) const;

 private:
  [[nodiscard]] BuildSettings settings_of(const ModelRequest& request) const;
  [[nodiscard]] BuildSettings network_settings(const NetworkRequest& request) const;
  [[nodiscard]] BuildSettings noc_settings(const NocRequest& request) const;
  [[nodiscard]] std::string noc_folder(const NocRequest& request,
                                       const BuildSettings& settings) const;
  [[nodiscard]] std::string model_folder(const ModelRequest& request,
                                         const BuildSettings& settings) const;
  [[nodiscard]] std::string network_folder(const BuildSettings& settings) const;
  /// Builds a model, or takes it over from a folder beside it that has one of equal sources.
  [[nodiscard]] std::string ensure(const std::string& folder, const BuildSettings& settings,
                                   const std::string& what) const;
  [[nodiscard]] ElaboratedDesign ensure_design(const std::string& folder,
                                               const BuildSettings& settings,
                                               const std::string& what) const;

  std::string root_;
  std::string folder_;
};

}  // namespace kernbench::sim
