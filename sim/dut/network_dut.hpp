// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "maze/network_frame.hpp"
#include "sim/dut/rtl_output.hpp"

namespace kernbench::sim {

/// Properties of a built network model.
struct NetworkInfo {
  maze::NetworkConfig config;  ///< without a failed node
  bool links = false;          ///< the signals between nodes and links are seen
  bool checkers = false;       ///< SystemVerilog checkers are active
  bool trace = false;          ///< FST tracing is compiled in
  bool coverage = false;       ///< line/branch/toggle coverage is compiled in
  std::string build_hash;      ///< hash of the RTL sources, parameters and flags of the build
};

/// Signals between the nodes and the links of a network in one cycle (ports C).
struct LinkSignals {
  explicit LinkSignals(const maze::Shape& s) : from_nodes(s), to_nodes(s) {}
  maze::TopoInputs from_nodes;
  maze::TopoOutputs to_nodes;
};

/// Violation of a rule of the network, reported by the SystemVerilog checker of a node.
struct NetworkViolation {
  unsigned node = 0;
  unsigned port = 0;   ///< links first; A or B last
  unsigned level = 0;  ///< QoS: 0 low, 1 high, 2 neither
  std::string rule;
};

/// Values that the reference expects at one port of a node in one cycle, for a row of the waveform
/// beside the signals of the network. `in` is what the link behind the port delivers, `out` what
/// the node sends; at the last port they are A and B.
struct PortNote {
  bool in_valid = false, in_ready = false;
  bool out_valid = false, out_ready = false;
  maze::Payload in_packet = 0, out_packet = 0;
};

/// A MAZE network as a black box. Calls in one cycle, in this order:
///   drive(inputs); settle(); sample(outputs); clock_edge();
/// All outputs come from flops, so `sample` returns what the last clock edge left. A process may
/// have several instances, each used by one thread at a time.
class NetworkDut : public RtlOutput {
 public:
  [[nodiscard]] virtual const NetworkInfo& info() const = 0;
  /// Sets `pg_en` and `pg_node`, which are to be stable from reset on.
  virtual void set_failed(std::optional<unsigned> node) = 0;
  /// Sets rst_n to !asserted, effective at the next settle() (the reset is asynchronous).
  virtual void set_reset(bool asserted) = 0;
  virtual void drive(const maze::NetworkInputs& inputs) = 0;
  virtual void settle() = 0;
  virtual void sample(maze::NetworkOutputs& outputs) const = 0;
  /// Samples ports C. Throws std::logic_error when the model was built without them.
  virtual void sample_links(LinkSignals& signals) const = 0;
  virtual void clock_edge() = 0;
  /// Returns the violations since the last call, in order of occurrence. Empty without checkers.
  /// The checkers see an edge when the next settle() executes it.
  [[nodiscard]] virtual std::vector<NetworkViolation> take_violations() = 0;

  /// Starts a waveform (FST). Throws std::logic_error when the model was built without tracing, and
  /// std::runtime_error when the file cannot be written.
  virtual void open_trace(const std::string& path) = 0;
  /// Stops the waveform for some cycles, or goes on.
  virtual void enable_trace(bool on) = 0;
  virtual void close_trace() = 0;
  /// Writes Verilator's coverage.dat. Throws std::logic_error when built without coverage.
  virtual void write_coverage(const std::string& path) = 0;
  /// Writes these values into the waveform of this cycle. Called between settle() and clock_edge().
  virtual void annotate(const PortNote& note) = 0;
};

/// Functions that every network library exports with C linkage. `kNetworkAbi` rejects stale builds.
inline constexpr std::uint32_t kNetworkAbi = 5;
using NetworkAbiFunction = std::uint32_t (*)();
using CreateNetworkFunction = NetworkDut* (*)(std::uint64_t seed,
                                              const std::vector<std::string>& plusargs);
inline constexpr const char* kNetworkAbiSymbol = "kernbench_network_abi";
inline constexpr const char* kCreateNetworkSymbol = "kernbench_create_network";

}  // namespace kernbench::sim
