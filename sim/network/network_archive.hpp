// SPDX-License-Identifier: Apache-2.0
// How the coverage of a case of a network is written to the results of parts, and read from them.
#pragma once

#include <optional>

#include "common/archive.hpp"
#include "sim/cover/coverage_archive.hpp"
#include "sim/network/network_coverage.hpp"

namespace kernbench::maze {

template <class Archive>
void serialize(Archive& archive, NetworkConfig& config) {
  archive(config.shape, config.high_bound, config.fixed_priority, config.failed);
}

}  // namespace kernbench::maze

namespace kernbench::sim {

template <class Archive>
void serialize(Archive& archive, std::optional<NetworkCoverage>& coverage) {
  bool is_present = coverage.has_value();
  archive(is_present);
  if (!is_present) return;
  maze::NetworkConfig config = coverage ? coverage->config() : maze::NetworkConfig{};
  archive(config);
  if (!coverage) coverage.emplace(config);
  coverage->archive_hits(archive);
  bool deep = coverage->deep().has_value();
  archive(deep);
  if (!deep) return;
  if (!coverage->deep()) coverage->deep() = DeepBins::of_users(config.shape);
  archive_bins(archive, *coverage->deep());
}

}  // namespace kernbench::sim
