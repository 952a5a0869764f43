// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "sim/dut/rtl_sources.hpp"

namespace kernbench::sim {

/// Delays of SystemVerilog, such as `#5;` and `q <= #1 d`, which a model ignores.
struct Delays {
  std::size_t count = 0;
  std::string first;  ///< file and line of the first; empty if there is none

  friend bool operator==(const Delays&, const Delays&) = default;
};

/// Counts the delays in what `verilator -E` prints: text without comments and macros.
[[nodiscard]] Delays count_delays(std::string_view preprocessed);

/// Counts the delays of the sources and of the files that they include. Modules that are found by
/// their name in a folder are not looked at. Returns std::nullopt if Verilator cannot read the
/// sources; a build says why.
[[nodiscard]] std::optional<Delays> delays_of(const RtlSources& sources);

/// Returns "3 delays of the RTL are ignored, the first at a.sv:4"; empty without delays.
[[nodiscard]] std::string delays_text(const std::optional<Delays>& delays);

}  // namespace kernbench::sim
