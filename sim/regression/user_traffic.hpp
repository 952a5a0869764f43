// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "maze/link_frame.hpp"

namespace kernbench::sim {

/// Number of copies by their latency: cycles from the handshake at A to that at B.
class LatencyHistogram {
 public:
  void add(std::uint64_t cycles) {
    if (cycles >= counts_.size()) counts_.resize(cycles + 1);
    ++counts_[cycles];
  }
  void merge(const LatencyHistogram& other);

  /// Returns the copies of each latency, from 0 to the longest.
  [[nodiscard]] const std::vector<std::uint64_t>& counts() const { return counts_; }
  [[nodiscard]] std::uint64_t copies() const;
  /// Returns the mean in cycles; 0 without copies, as are the next two.
  [[nodiscard]] double mean() const;
  [[nodiscard]] std::uint64_t longest() const { return counts_.empty() ? 0 : counts_.size() - 1; }
  /// Returns the latency that `per_mille` of 1,000 copies do not exceed.
  [[nodiscard]] std::uint64_t percentile(unsigned per_mille) const;

  /// Writes or reads the counts, for case_archive.hpp.
  template <class Archive>
  void serialize(Archive& archive) {
    archive(counts_);
  }

 private:
  std::vector<std::uint64_t> counts_;
};

/// Counts what the users of a network send and receive. Empty counts stand for 0.
struct UserTraffic {
  std::vector<std::uint64_t> accepted;      ///< packets at A, by node
  std::vector<std::uint64_t> delivered;     ///< copies at B, by node
  std::array<LatencyHistogram, 8> latency;  ///< by 2 * type + QoS level

  UserTraffic() = default;
  explicit UserTraffic(const maze::Shape& shape)
      : accepted(shape.nodes()), delivered(shape.nodes()) {}

  void merge(const UserTraffic& other);

  /// Returns the packets at all A.
  [[nodiscard]] std::uint64_t packets() const;
  /// Returns the copies at all B.
  [[nodiscard]] std::uint64_t copies() const;
  /// Returns the latencies of a QoS level: 0 low, 1 high.
  [[nodiscard]] LatencyHistogram of_qos(unsigned qos) const;
  /// Returns the latencies of a type: 0 unicast, 1 column, 2 row, 3 broadcast.
  [[nodiscard]] LatencyHistogram of_type(unsigned type) const;
  [[nodiscard]] LatencyHistogram of_all() const;
};

}  // namespace kernbench::sim
