// SPDX-License-Identifier: Apache-2.0
// How the results of cases of a network are written to the results of parts, and read from them.
#pragma once

#include <optional>

#include "common/archive.hpp"
#include "sim/cover/coverage_archive.hpp"
#include "sim/network/network_run.hpp"

namespace kernbench::maze {

template <class Archive>
void serialize(Archive& archive, NetworkConfig& config) {
  archive(config.shape, config.high_bound, config.fixed_priority, config.failed);
}

}  // namespace kernbench::maze

namespace kernbench::sim {

template <class Archive>
void serialize(Archive& archive, NodePort& port) {
  archive(port.node, port.port);
}
template <class Archive>
void serialize(Archive& archive, NetworkFailure& failure) {
  archive(failure.text, failure.cycle, failure.at);
}
template <class Archive>
void serialize(Archive& archive, NetworkTraffic& traffic) {
  archive(traffic.accepted, traffic.delivered, traffic.link_packets, traffic.link_stalls,
          traffic.latency);
}
template <class Archive>
void serialize(Archive& archive, std::optional<NetworkCoverage>& coverage) {
  bool is_present = coverage.has_value();
  archive(is_present);
  if (!is_present) return;
  maze::NetworkConfig config = coverage ? coverage->config() : maze::NetworkConfig{};
  archive(config);
  if (!coverage) coverage.emplace(config);
  coverage->archive_hits(archive);
}
template <class Archive>
void serialize(Archive& archive, NetworkResult& result) {
  archive(result.rtl_text.text, result.rtl_text.left_out);
  archive(result.outcome, result.failure, result.cycles, result.accepted, result.delivered,
          result.traffic, result.seconds);
  serialize(archive, result.coverage);
}

}  // namespace kernbench::sim
