#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace kernbench::sim {

/// The source end of a link: the node that drives it and the output port (X ports first).
struct LinkEnd {
  unsigned node = 0;
  unsigned port = 0;
  friend bool operator==(const LinkEnd&, const LinkEnd&) = default;
};

/// One thing a checker found wrong.
struct Failure {
  std::string checker;          ///< "scoreboard", "lockstep", "assertions", "watchdog", ...
  std::string kind;             ///< "loss", "duplicate", "corruption", "late_valid", ...
  std::uint64_t cycle = 0;      ///< the cycle in which it was seen
  std::optional<LinkEnd> link;  ///< where, if it belongs to one link
  std::string message;          ///< one line for a human, with the values expected and seen
};

}  // namespace kernbench::sim
