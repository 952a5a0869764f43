// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kernbench::docs {

/// One signal of pkt_con_if as its source declares it.
struct InterfaceSignal {
  std::string name;    ///< "xo_vld"
  std::string width;   ///< "1", or the packed range as written, "[AddrW-1:0]"
  std::string count;   ///< the unpacked dimension as written, "NX-1"
  std::string at_mst;  ///< "input" or "output"
  std::string at_slv;
};

struct ModuleParameter {
  std::string name;
  std::string value;  ///< default, as written
};

struct ModulePort {
  std::string direction;  ///< "input", "output", or the interface and modport
  std::string name;
  std::string width;  ///< as InterfaceSignal
  std::string count;  ///< unpacked dimension as written, or empty
};

struct ModuleHeader {
  std::string name;
  std::vector<ModuleParameter> parameters;
  std::vector<ModulePort> ports;
};

/// Returns the signals of the interface in a SystemVerilog source. Throws std::runtime_error when
/// it has none, or when a signal is not exactly once in each of the modports `mst` and `slv`.
[[nodiscard]] std::vector<InterfaceSignal> read_interface(std::string_view source);
/// Returns the first module of a SystemVerilog source. Throws std::runtime_error for a header line
/// of unknown form.
[[nodiscard]] ModuleHeader read_module(std::string_view source);

/// Returns the meaning of a signal of the interface. Throws std::runtime_error for an unknown one.
[[nodiscard]] std::string describe_signal(std::string_view name);

[[nodiscard]] std::string interface_markdown(const std::vector<InterfaceSignal>& signals);
[[nodiscard]] std::string module_markdown(const ModuleHeader& module);

}  // namespace kernbench::docs
