// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>

#include "model/engine/event_handler.hpp"
#include "model/engine/simulation.hpp"
#include "model/fabric/seam/fabric.hpp"
#include "model/fabric/traffic/traffic_source.hpp"
#include "model/fabric/traffic/transfer_ledger.hpp"
#include "topology/zoo/base/base_topology.hpp"

namespace kernbench::model::fabric {

/// A histogram of latencies in cycles, from the edge of submission to the edge at which the last
/// packet arrived.
class LatencyCounts {
 public:
  void add(Edge latency) {
    if (latency < short_.size()) {
      ++short_[latency];
    } else {
      add_long(latency);
    }
    ++count_;
    sum_ += latency;
    max_ = std::max(max_, latency);
  }
  [[nodiscard]] std::uint64_t count() const { return count_; }
  [[nodiscard]] double mean() const;  ///< 0 without latencies
  [[nodiscard]] Edge max() const { return max_; }
  /// Returns the smallest latency that at least `percent` (1..100) % of all do not exceed; 0
  /// without latencies.
  [[nodiscard]] Edge percentile(unsigned percent) const;

 private:
  void add_long(Edge latency);

  std::array<std::uint64_t, 256> short_{};
  std::map<Edge, std::uint64_t> long_;
  std::uint64_t count_ = 0;
  Edge sum_ = 0;
  Edge max_ = 0;
};

/// Synthetic traffic (TrafficSource) over any fabric. Submissions stop at the end of the measured
/// cycles; transfers in flight then still complete.
class SyntheticTraffic : private engine::EventHandler, private TransferListener {
 public:
  /// All arguments must outlive the object. Throws std::invalid_argument for a load outside 0..1,
  /// for 0 cycles or bytes, and as Fabric::submit() does.
  SyntheticTraffic(engine::Simulation& simulation, Fabric& fabric, const TrafficPattern& pattern,
                   const TrafficLoad& load);

  /// Schedules the first cycle, at time 0. Run the simulation afterwards. A run that exceeds
  /// TrafficLoad::max_open throws std::invalid_argument.
  void start();
  /// Return the begin and end of the measured cycles: packets that move after begin() and up to
  /// end() are measured.
  [[nodiscard]] common::SimTime begin() const { return fabric_.clock().time_of(load_.warmup); }
  [[nodiscard]] common::SimTime end() const { return fabric_.clock().time_of(stop_); }

  /// Returns the packets per sender and cycle submitted in the measured cycles.
  [[nodiscard]] double offered() const { return per_sender_and_cycle(offered_transfers_); }
  /// Returns the packets per sender and cycle of transfers that completed in the measured cycles.
  [[nodiscard]] double accepted() const { return per_sender_and_cycle(accepted_transfers_); }
  /// Returns the latencies of transfers submitted in the measured cycles.
  [[nodiscard]] const LatencyCounts& latencies() const { return latencies_; }
  /// Returns the number of transfers of the whole run. Throws std::logic_error unless each
  /// completed exactly once.
  [[nodiscard]] std::uint64_t transfers_done() const;
  [[nodiscard]] std::uint64_t packets_of_transfer() const { return packets_; }

 private:
  void on_event(engine::EventArgument argument) override;
  void on_transfer_done(std::uint64_t id) override;
  [[nodiscard]] double per_sender_and_cycle(std::uint64_t transfers) const;

  engine::Simulation& simulation_;
  Fabric& fabric_;
  const TrafficPattern& pattern_;
  TrafficLoad load_;
  std::uint64_t packets_;
  Edge stop_;
  TrafficSource source_;
  TransferLedger ledger_;
  LatencyCounts latencies_;
  std::uint64_t offered_transfers_ = 0;
  std::uint64_t accepted_transfers_ = 0;
};

/// The result of one load.
struct TrafficResult {
  double load = 0;
  double offered = 0;  ///< as SyntheticTraffic::offered()
  double accepted = 0;
  LatencyCounts latencies;
  std::uint64_t transfers = 0;                    ///< transfers of the whole run
  double mean_hops = 0;                           ///< hops per packet, in the whole run
  std::optional<topology::zoo::Channel> busiest;  ///< most used channel; first of equals
  double busiest_use = 0;                         ///< packets per measured cycle on `busiest`
};

/// Returns the packets that a channel of a topology has moved up to now.
using ChannelPackets = std::function<std::uint64_t(std::uint32_t channel)>;

/// Runs one load over a new fabric for `topology`, whose channels `packets` counts.
[[nodiscard]] TrafficResult run_traffic(engine::Simulation& simulation, Fabric& fabric,
                                        const topology::zoo::BaseTopology& topology,
                                        const ChannelPackets& packets,
                                        const TrafficPattern& pattern, const TrafficLoad& load);

}  // namespace kernbench::model::fabric
