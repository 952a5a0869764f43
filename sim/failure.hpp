// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "maze/link_frame.hpp"

namespace kernbench::sim {

/// The source end of a link: the node that drives it and the output port (X ports first).
struct LinkEnd {
  unsigned node = 0;
  unsigned port = 0;
  friend bool operator==(const LinkEnd&, const LinkEnd&) = default;
};

/// One error found by a checker.
struct Failure {
  std::string checker;          ///< "scoreboard", "lockstep", "assertions", "watchdog", ...
  std::string kind;             ///< "loss", "duplicate", "corruption", "late_valid", ...
  std::uint64_t cycle = 0;      ///< cycle of detection
  std::optional<LinkEnd> link;  ///< link with the error, if it is a single one
  std::string message;          ///< one line of text, with the expected and the actual values
  /// Packet of a network that the error is about, as it should be if that is known.
  std::optional<maze::Payload> packet = {};
};

}  // namespace kernbench::sim
