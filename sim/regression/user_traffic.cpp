// SPDX-License-Identifier: Apache-2.0
#include "sim/regression/user_traffic.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

namespace kernbench::sim {
namespace {

void add_grown(std::vector<std::uint64_t>& sum, const std::vector<std::uint64_t>& part) {
  sum.resize(std::max(sum.size(), part.size()));
  std::transform(part.begin(), part.end(), sum.begin(), sum.begin(), std::plus<>());
}

}  // namespace

void LatencyHistogram::merge(const LatencyHistogram& other) {
  add_grown(counts_, other.counts_);
}

std::uint64_t LatencyHistogram::copies() const {
  return std::accumulate(counts_.begin(), counts_.end(), std::uint64_t{0});
}

double LatencyHistogram::mean() const {
  std::uint64_t sum = 0;
  for (std::size_t cycles = 0; cycles < counts_.size(); ++cycles) sum += cycles * counts_[cycles];
  return sum == 0 ? 0.0 : static_cast<double>(sum) / static_cast<double>(copies());
}

std::uint64_t LatencyHistogram::percentile(unsigned per_mille) const {
  const std::uint64_t rank = (copies() * per_mille + 999) / 1000;
  std::uint64_t cycles = 0;
  for (std::uint64_t seen = 0; cycles < longest(); ++cycles) {
    seen += counts_[cycles];
    if (seen >= rank) break;
  }
  return cycles;
}

void UserTraffic::merge(const UserTraffic& other) {
  add_grown(accepted, other.accepted);
  add_grown(delivered, other.delivered);
  for (std::size_t i = 0; i < latency.size(); ++i) latency[i].merge(other.latency[i]);
}

std::uint64_t UserTraffic::packets() const {
  return std::accumulate(accepted.begin(), accepted.end(), std::uint64_t{0});
}

std::uint64_t UserTraffic::copies() const {
  return std::accumulate(delivered.begin(), delivered.end(), std::uint64_t{0});
}

LatencyHistogram UserTraffic::of_qos(unsigned qos) const {
  LatencyHistogram sum;
  for (std::size_t type = 0; type < 4; ++type) sum.merge(latency.at(2 * type + qos));
  return sum;
}

LatencyHistogram UserTraffic::of_type(unsigned type) const {
  LatencyHistogram sum = latency.at(std::size_t{2} * type);
  sum.merge(latency.at(std::size_t{2} * type + 1));
  return sum;
}

LatencyHistogram UserTraffic::of_all() const {
  LatencyHistogram sum = of_qos(0);
  sum.merge(of_qos(1));
  return sum;
}

}  // namespace kernbench::sim
