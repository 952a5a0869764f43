// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "sim/dut/network_dut.hpp"
#include "sim/dut/wave_file.hpp"
#include "sim/harness/plane_counter.hpp"
#include "sim/network/delivery_oracle.hpp"
#include "sim/network/network_coverage.hpp"
#include "sim/network/network_failure.hpp"
#include "sim/network/network_lockstep.hpp"
#include "sim/network/network_traffic.hpp"

namespace kernbench::sim {

/// Cycles of a waveform, and the port whose expected values it shows.
struct NetworkTrace {
  std::string path;
  std::uint64_t first = 0, last = 0;  ///< both are traced
  NodePort shown = {};
};

/// A network with all checks on it: the oracle of what each B owes, the reference in every cycle,
/// functional coverage, and counts of its traffic.
class CheckedNetwork {
 public:
  CheckedNetwork(std::shared_ptr<NetworkDut> dut, std::optional<unsigned> failed);

  [[nodiscard]] const NetworkInfo& info() const { return dut_->info(); }
  [[nodiscard]] const maze::NetworkConfig& config() const { return config_; }
  [[nodiscard]] const DeliveryOracle& oracle() const { return oracle_; }
  [[nodiscard]] const NetworkLockstep& lockstep() const { return lockstep_; }
  [[nodiscard]] const NetworkCoverage& coverage() const { return coverage_; }
  /// Returns the traffic of all cycles so far.
  [[nodiscard]] NetworkTraffic traffic();
  [[nodiscard]] const maze::NetworkOutputs& outputs() const { return outputs_; }
  /// Returns the number of cycles, those in reset included.
  [[nodiscard]] std::uint64_t cycle() const { return cycle_; }
  /// Returns the cycle of the last delivery or reset.
  [[nodiscard]] std::uint64_t last_delivery() const { return last_delivery_; }
  /// Returns the first failure.
  [[nodiscard]] const NetworkFailure& failure() const { return failure_; }
  [[nodiscard]] bool has_failed() const { return !failure_.text.empty(); }
  /// Returns true after a failure, once the waveform has its cycles behind it.
  [[nodiscard]] bool is_over() const { return has_failed() && (!trace_ || cycle_ > trace_->last); }
  void fail(NetworkFailure what) {
    if (!has_failed()) failure_ = std::move(what);
  }
  /// Writes a waveform of some cycles. The model has to have been built with waves.
  void trace(const NetworkTrace& trace);
  /// Ends the waveform, if there is one. Throws BadInput if it could not be written.
  void close_trace();

  /// Tells that from now on each packet is the only one, of this source and accepted in this cycle:
  /// its deliveries have to take their exact time.
  void send_alone(unsigned source) { sent_alone_ = {source, cycle_}; }
  /// Holds reset for `cycles`.
  void reset(const maze::NetworkInputs& inputs, std::uint64_t cycles);
  /// Asserts and releases reset between two clock edges.
  void pulse_reset();
  /// Executes the final blocks of the RTL and takes what it reports. Called after the last cycle.
  void finish();
  [[nodiscard]] const RtlOutput& rtl() const { return *dut_; }
  /// Runs one cycle and checks it.
  void step(const maze::NetworkInputs& inputs) { cycle(inputs, false); }

 private:
  void cycle(const maze::NetworkInputs& inputs, bool in_reset);
  void read_checkers();
  void read_reports();
  void observe(const maze::NetworkInputs& inputs);
  void count_links();
  void deliver(unsigned node);
  void check_latency(unsigned node);
  [[nodiscard]] NodePort user_port(unsigned node) const { return {node, config_.shape.ports()}; }

  std::shared_ptr<NetworkDut> dut_;
  maze::NetworkConfig config_;
  maze::PacketLayout layout_;
  NetworkLockstep lockstep_;
  DeliveryOracle oracle_;
  NetworkCoverage coverage_;
  NetworkTraffic traffic_;             ///< without links
  maze::BitPlane handshakes_, waits_;  ///< where links end, in this cycle
  PlaneCounter packets_;               ///< handshakes of links
  PlaneCounter stalls_;                ///< cycles in which a packet waits at the end of a link
  maze::NetworkOutputs outputs_;
  LinkSignals links_;
  std::uint64_t cycle_ = 0;
  std::uint64_t last_delivery_ = 0;
  std::optional<std::pair<unsigned, std::uint64_t>> sent_alone_;  ///< source and cycle
  NetworkFailure failure_;
  std::optional<NetworkTrace> trace_;
  std::optional<WaveFile> wave_;
};

/// Returns the cycles that a packet that meets no other takes from A of one node to B of another: 2
/// for each node, and the stages of the links between (MAZE network, requirement 3).
[[nodiscard]] unsigned lone_latency(const maze::Shape& shape, unsigned from, unsigned to);

}  // namespace kernbench::sim
