// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "maze/network_frame.hpp"
#include "sim/dut/dut.hpp"

namespace kernbench::sim {

/// Properties of a built network model.
struct NetworkInfo : DutInfo {
  maze::NetworkConfig config;  ///< without a failed node
  bool links = false;          ///< the signals between nodes and links are seen
};

/// Values that the reference expects at one port of a node in one cycle, for a row of the waveform
/// beside the signals of the network. `in` is what the link behind the port delivers, `out` what
/// the node sends; at the last port they are A and B.
struct PortNote {
  bool in_valid = false, in_ready = false;
  bool out_valid = false, out_ready = false;
  maze::Payload in_packet = 0, out_packet = 0;
};

/// A MAZE network: its ports are A and B of each node (maze::NetworkInputs, NetworkOutputs). All
/// outputs come from flops, so `sample` returns what the last clock edge left. Checkers see an edge
/// when the next settle() executes it.
class NetworkDut : public Dut {
 public:
  [[nodiscard]] const NetworkInfo& info() const override = 0;
  [[nodiscard]] unsigned ports() const final { return 1; }
  /// Sets `pg_en` and `pg_node`, which are to be stable from reset on.
  virtual void set_failed(std::optional<unsigned> node) = 0;
  [[nodiscard]] bool shows_links() const final { return info().links; }
  /// Writes these values into the waveform of this cycle. Called between settle() and clock_edge().
  virtual void annotate(const PortNote& note) = 0;

  /// Cycles between an edge and the evaluation in which the checkers see it.
  static constexpr std::uint64_t kCheckedLate = 1;
  static constexpr const char* kKind = "network model";
  static constexpr std::uint32_t kAbi = 8;  ///< rejects stale builds
  static constexpr const char* kAbiSymbol = "kernbench_network_abi";
  static constexpr const char* kCreateSymbol = "kernbench_create_network";
};

}  // namespace kernbench::sim
