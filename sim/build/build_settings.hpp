// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "maze/link_frame.hpp"
#include "sim/dut/rtl_sources.hpp"

namespace kernbench::sim {

/// The designs that a model can be built of.
enum class Device { Topo, Network, Noc, IrsBench };

/// Everything that decides about a model. `kernbench model` takes the settings as NAME=VALUE, and
/// the file `settings` beside a model repeats them; describe() in build_settings.cpp lists them.
struct BuildSettings {
  Device device = Device::Topo;
  maze::Shape shape;
  bool checkers = true;  ///< Topo: the checkers of tb/, one for every link; Noc: those of rtl/noc/
  bool trace = false;    ///< FST waveforms
  /// Assertions, unique and priority of the RTL are checked.
  bool assertions = false;
  bool baseline = false;  ///< Topo: benchmarks/baseline_rtl in place of rtl/ and tb/
  /// Topo: one IRS_N of other RTL as a fabric; its parameters are macros (tb/primitive/).
  bool primitive = false;
  std::string coverage;        ///< "", "line", "toggle" or "line,toggle"; line includes branches
  unsigned high_bound = 16;    ///< Network: parameter of its nodes
  bool fixed = false;          ///< Network: parameter of its nodes
  bool links = true;           ///< Network: ports C are seen
  bool node_checkers = false;  ///< Network: the checkers of tb/, 5 times the compile time
  unsigned nodes = 1;          ///< Noc: sizes of the network, like the next three
  unsigned channels = 0;
  unsigned vcs = 1;
  unsigned flit_bits = 64;
  bool irs_primitives = true;  ///< IrsBench: the RTL has IRS_LP and IRS_HALF
  std::string opt = "-O2";     ///< how the C++ that runs in every cycle is optimised
  std::string cxx = "g++";
  std::string verilator = "verilator";
  /// Other RTL in place of rtl/; empty lists mean the repository's.
  RtlSources rtl;
};

/// Returns settings with the compiler and Verilator that the variables CXX and VERILATOR name.
[[nodiscard]] BuildSettings settings_of_environment();

/// Sets one NAME=VALUE. Throws common::BadInput that says what is wrong with it. NAME may be RTL
/// (files, packages first, separated by blanks), RTL_DIR or NETWORK_DIR (folders with the names of
/// rtl/topo.f and rtl/network/maze.f) too, which also set ASSERT; `topo_f` is the path of the
/// former.
void set(BuildSettings& settings, const std::string& word, const std::string& topo_f);

/// Returns the lines of the file `settings`, from which parse_settings() makes equal settings.
[[nodiscard]] std::string to_text(const BuildSettings& settings);
/// Throws common::BadInput naming `where` for text that to_text() does not write.
[[nodiscard]] BuildSettings parse_settings(const std::string& text, const std::string& where);

/// Throws common::BadInput for settings that exclude each other, or a tool whose name a makefile
/// cannot have.
void check(const BuildSettings& settings);

}  // namespace kernbench::sim
