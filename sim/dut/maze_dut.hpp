// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/dut/dut.hpp"

namespace kernbench::sim {

/// One link in one cycle as the bench has it, for a row of the waveform beside the signals of the
/// fabric.
struct LinkNote {
  bool want_valid = false;        ///< the sender's intention
  bool want_ready = false;        ///< the receiver's intention
  bool seen_valid = false;        ///< as the checkers see it, at the receiver
  bool seen_ready = false;        ///< as the checkers see it, at the sender
  bool expected_valid = false;    ///< the reference's, at the receiver
  bool expected_ready = false;    ///< the reference's, at the sender
  maze::Payload want_packet = 0;  ///< the sender's packet
  maze::Payload seen_packet = 0;
  maze::Payload expected_packet = 0;
};

/// A TOPO. Its ports are those of the nodes around it.
class MazeDut : public Dut {
 public:
  /// Writes these values into the waveform of this cycle. Called between settle() and clock_edge().
  virtual void annotate(const LinkNote& /*note*/) {}

  /// Cycles between an edge and the evaluation in which the checkers see it.
  static constexpr std::uint64_t kCheckedLate = 0;
  static constexpr const char* kKind = "TOPO model";
  static constexpr std::uint32_t kAbi = 6;  ///< rejects stale builds
  static constexpr const char* kAbiSymbol = "kernbench_dut_abi";
  static constexpr const char* kCreateSymbol = "kernbench_create_dut";
};

}  // namespace kernbench::sim
