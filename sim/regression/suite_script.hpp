// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/described.hpp"
#include "maze/network_frame.hpp"
#include "sim/regression/given_link.hpp"
#include "sim/stimulus/script.hpp"

namespace kernbench::sim {

/// A stimulus packet by packet, as a suite of a regression has it in place of traffic: what is left
/// of a case that was shrunk. Its case is not part of the coverage.
struct SuiteScript {
  struct Packet {
    std::uint64_t cycle = 0;
    GivenLink link;
    maze::Payload packet = 0;
  };
  struct Stall {
    std::uint64_t cycle = 0;
    std::uint64_t cycles = 1;
    GivenLink link;
  };

  std::vector<Packet> packets;
  std::vector<Stall> stalls;
  std::vector<ResetEvent> resets;
  std::optional<unsigned> failed_node;  ///< failed node of a network
  Script script;                        ///< the same by numbers of ports; set by check_script()
};

/// The limits of a suite with a script.
struct ScriptLimits {
  DevicePorts ports;
  std::uint64_t cycles = 0;    ///< cycles of the suite
  std::uint64_t watchdog = 0;  ///< window of its watchdog; 0: it has none
};

/// Returns the least window of a watchdog that does not fail a sound design whose receivers stall
/// for so many cycles. In a network, packets wait behind others for such a receiver.
[[nodiscard]] constexpr std::uint64_t least_watchdog_of_stall(std::uint64_t cycles, bool network) {
  constexpr std::uint64_t kPacketsInTurn = 4;
  return network ? kPacketsInTurn * cycles : cycles + 1;
}

/// A mistake in a script: the place of a key below that of the script, and the texts.
struct ScriptError {
  std::string place;
  std::string message;
  std::string hint;
};

/// Checks what the form of a script does not say, and fills in `script.script`. Links must be known
/// to have ports.
[[nodiscard]] std::vector<ScriptError> check_script(SuiteScript& script,
                                                    const ScriptLimits& limits);

// The checks that scripts of all devices share. Cycles are those of the suite.
[[nodiscard]] std::optional<ScriptError> error_of_end(const std::string& place, std::uint64_t cycle,
                                                      std::uint64_t cycles);
/// `watchdog` is the window of the suite's watchdog, 0 if it has none.
[[nodiscard]] std::optional<ScriptError> error_of_stall(const std::string& place,
                                                        std::uint64_t stalled,
                                                        std::uint64_t watchdog, bool network);
[[nodiscard]] std::vector<ScriptError> errors_of_resets(const std::vector<ResetEvent>& resets,
                                                        std::uint64_t cycles);

/// Returns a reset as the members of a map in a regression file.
[[nodiscard]] std::string reset_text(const ResetEvent& reset);

/// Refuses keys besides `allowed` of the suite at `path` of a file, which has a script.
template <class Suite, class File>
void refuse_other_keys(common::Input<File>& file, const std::string& path,
                       const std::vector<std::string>& allowed) {
  for (const common::ValueForm& member : common::form_of<Suite>().parts) {
    const std::string key = path + "." + member.name;
    if (!file.has(key) || std::find(allowed.begin(), allowed.end(), member.name) != allowed.end())
      continue;
    file.error(key, fmt::format("a suite with a script has no {}", member.name));
  }
}

/// Checks the script of the suite at `path` of a file, and refuses keys of the suite besides
/// `allowed`.
template <class File, class Suite>
void check_script(common::Input<File>& file, const std::string& path, SuiteScript& script,
                  const ScriptLimits& limits, const std::vector<std::string>& allowed) {
  refuse_other_keys<Suite>(file, path, allowed);
  const std::string at = path + ".script.";
  bool are_links_sound = true;
  const auto check_links = [&](const auto& list, const char* name) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      const std::string link = fmt::format("{}{}[{}].link", at, name, i);
      are_links_sound = check_link(file, link, list[i].link, limits.ports) && are_links_sound &&
                        list[i].link.node < limits.ports.shape.nodes();
    }
  };
  check_links(script.packets, "packets");
  check_links(script.stalls, "stalls");
  if (!are_links_sound || !file.places().sound({path + ".script"})) return;
  for (const ScriptError& error : check_script(script, limits)) {
    file.error(at + error.place, error.message, error.hint);
  }
}

/// A script as a regression file of one suite.
struct ScriptRegression {
  std::string name;
  std::string comment;  ///< one line
  maze::NetworkConfig config;
  bool network = false;
  std::uint64_t watchdog_cycles = 0;
  std::uint64_t after_failure = 0;
};

/// Returns the text of a regression file (YAML).
[[nodiscard]] std::string regression_text(const ScriptRegression& regression, const Script& script);

}  // namespace kernbench::sim

template <>
const kernbench::common::Description<kernbench::sim::SuiteScript>&
kernbench::common::description_of();
template <>
const kernbench::common::Description<kernbench::sim::ResetEvent>&
kernbench::common::description_of();
