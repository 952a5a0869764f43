// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sim/build/build_settings.hpp"
#include "sim/dut/source_names.hpp"

namespace kernbench::sim {

/// The arguments of Verilator and the compiler for a model: the one place for their flags. All
/// paths are names of the build folder, so that equal sources in another folder give an equal plan.
struct BuildPlan {
  std::string prefix;   ///< start of the names of the C++ that Verilator writes
  std::string library;  ///< name of the file that is built
  std::string adapter;  ///< the C++ that knows the verilated top; empty if there is none
  /// Verilator's arguments that decide about the elaborated design.
  std::vector<std::string> design;
  /// More arguments, for the model.
  std::vector<std::string> model;
  /// Sources of the design, and of the model, which has checkers besides, in their order.
  std::vector<std::string> design_sources;
  std::vector<std::string> model_sources;
  std::vector<std::string> rtl;      ///< the part of design_sources that is the RTL
  std::vector<std::string> compile;  ///< flags of the C++ compiler
  std::vector<std::string> link;     ///< flags of the linker
  std::vector<std::string> make;     ///< variables of Verilator's makefile
  std::vector<std::string> exports;  ///< symbols of the library; all if the list is empty
  std::vector<std::string> dpi;      ///< C and C++ files with functions that the RTL imports
  bool has_dump = false;             ///< the elaborated design is kept beside the model
  bool keeps_headers = false;        ///< so are Verilator's headers

  SourceNames names;
  std::vector<std::string> searched;  ///< folders for included files and modules, in their order
  std::vector<std::string> suffixes;  ///< suffixes of files that Verilator finds by a module's name
};

/// `root` is the folder with `rtl/`, `tb/` and `sim/`.
[[nodiscard]] BuildPlan plan_build(const BuildSettings& settings, const std::string& root);

/// Returns the name of the object that a file of BuildPlan::dpi is compiled to.
[[nodiscard]] std::string dpi_object(std::size_t index);

/// Verilator's arguments for a dump of the design besides those of BuildPlan, without `--xml-only`
/// or `--json-only`.
[[nodiscard]] const std::vector<std::string>& dump_arguments();

}  // namespace kernbench::sim
