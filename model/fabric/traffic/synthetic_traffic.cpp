// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/traffic/synthetic_traffic.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <vector>

namespace kernbench::model::fabric {
namespace {

std::vector<std::uint64_t> packets_by_channel(const ChannelPackets& packets, std::size_t channels) {
  std::vector<std::uint64_t> all(channels);
  for (std::size_t i = 0; i < channels; ++i) all[i] = packets(static_cast<std::uint32_t>(i));
  return all;
}

}  // namespace

void LatencyCounts::add_long(Edge latency) {
  ++long_[latency];
}

double LatencyCounts::mean() const {
  return count_ == 0 ? 0.0 : static_cast<double>(sum_) / static_cast<double>(count_);
}

Edge LatencyCounts::percentile(unsigned percent) const {
  const std::uint64_t rank = (count_ * percent + 99) / 100;
  std::uint64_t seen = 0;
  for (Edge latency = 0; latency < short_.size(); ++latency) {
    seen += short_[latency];
    if (count_ > 0 && seen >= rank) return latency;
  }
  for (const auto& [latency, count] : long_) {
    seen += count;
    if (seen >= rank) return latency;
  }
  return 0;
}

SyntheticTraffic::SyntheticTraffic(engine::Simulation& simulation, Fabric& fabric,
                                   const TrafficPattern& pattern, const TrafficLoad& load)
    : simulation_(simulation),
      fabric_(fabric),
      pattern_(pattern),
      load_(load),
      packets_(fabric.packets_of(load.bytes)),
      stop_(load.sending_cycles()),
      source_(pattern, load, packets_) {}

void SyntheticTraffic::start() {
  simulation_.schedule(common::SimTime(), *this, 0);
}

void SyntheticTraffic::on_event(engine::EventArgument argument) {
  const std::uint64_t cycle = argument.number();
  source_.next_cycle([&](std::uint32_t src, std::uint32_t dst) {
    Transfer transfer;
    transfer.id = ledger_.open(cycle);
    transfer.src = src;
    transfer.dst = dst;
    transfer.bytes = load_.bytes;
    fabric_.submit(transfer, *this);
    if (cycle >= load_.warmup) ++offered_transfers_;
  });
  if (ledger_.outstanding() > load_.max_open) {
    throw std::invalid_argument(fmt::format(
        "at load {} more than {} transfers are open in cycle {}: the topology is saturated; "
        "reduce the load or the cycles",
        load_.load, load_.max_open, cycle));
  }
  if (cycle + 1 < stop_) simulation_.schedule(fabric_.clock().time_of(cycle + 1), *this, cycle + 1);
}

void SyntheticTraffic::on_transfer_done(std::uint64_t id) {
  const Edge now = fabric_.clock().edge_at_or_before(simulation_.now());
  const Edge submitted = ledger_.close(id);
  if (submitted >= load_.warmup) latencies_.add(now - submitted);
  if (now > load_.warmup && now <= stop_) ++accepted_transfers_;
}

std::uint64_t SyntheticTraffic::transfers_done() const {
  ledger_.require_all_closed();
  return ledger_.opened();
}

double SyntheticTraffic::per_sender_and_cycle(std::uint64_t transfers) const {
  const double slots =
      static_cast<double>(pattern_.senders().size()) * static_cast<double>(load_.cycles);
  return static_cast<double>(transfers) * static_cast<double>(packets_) / slots;
}

TrafficResult run_traffic(engine::Simulation& simulation, Fabric& fabric,
                          const topology::zoo::BaseTopology& topology,
                          const ChannelPackets& packets, const TrafficPattern& pattern,
                          const TrafficLoad& load) {
  const std::size_t channels = topology.channels().size();
  SyntheticTraffic traffic(simulation, fabric, pattern, load);
  traffic.start();
  simulation.run_until(traffic.begin());
  const std::vector<std::uint64_t> before = packets_by_channel(packets, channels);
  simulation.run_until(traffic.end());
  const std::vector<std::uint64_t> after = packets_by_channel(packets, channels);
  simulation.run();
  const std::vector<std::uint64_t> all = packets_by_channel(packets, channels);

  TrafficResult result;
  result.load = load.load;
  result.offered = traffic.offered();
  result.accepted = traffic.accepted();
  result.latencies = traffic.latencies();
  result.transfers = traffic.transfers_done();
  std::uint64_t hops = 0;
  std::uint64_t most = 0;
  for (std::size_t i = 0; i < channels; ++i) {
    hops += all[i];
    const std::uint64_t moved = after[i] - before[i];
    if (moved <= most) continue;
    most = moved;
    result.busiest = topology.channels()[i];
  }
  result.busiest_use = static_cast<double>(most) / static_cast<double>(load.cycles);
  if (result.transfers > 0) {
    result.mean_hops = static_cast<double>(hops) / static_cast<double>(result.transfers) /
                       static_cast<double>(traffic.packets_of_transfer());
  }
  return result;
}

}  // namespace kernbench::model::fabric
