// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/api.hpp"
#include "topology/zoo/base/base_topology.hpp"

namespace kernbench::topology::zoo {

/// A virtual channel of a channel in a topology.
struct Hop {
  std::uint32_t channel = 0;  ///< index into BaseTopology::channels()
  std::uint32_t vc = 0;
  friend constexpr bool operator==(const Hop&, const Hop&) = default;
};

/// Decides where a packet may go next. A relation is a pure function of its arguments. Its topology
/// must outlive it.
class KERNBENCH_API RoutingRelation {
 public:
  explicit RoutingRelation(const BaseTopology& topology) : topology_(topology) {}
  virtual ~RoutingRelation() = default;
  RoutingRelation(const RoutingRelation&) = delete;
  RoutingRelation& operator=(const RoutingRelation&) = delete;

  [[nodiscard]] const BaseTopology& topology() const { return topology_; }
  /// Returns a readable name, for example "dimension order XY".
  [[nodiscard]] virtual std::string name() const = 0;
  /// Returns the number of virtual channels that every channel needs.
  [[nodiscard]] virtual std::uint32_t n_vcs() const = 0;

  /// Returns the hops that a packet at node `at` may take next to `dst` (another node), preferred
  /// hop first. The packet arrived through `in` or was injected at `at`. The result is empty if the
  /// relation has no path from here.
  [[nodiscard]] virtual std::vector<Hop> next(std::uint32_t at, std::optional<Hop> in,
                                              std::uint32_t dst) const = 0;
  /// Returns the place in a file, "routes.csv:12:1", that lets a packet take `next` after `in`;
  /// empty if the relation is not from a file.
  [[nodiscard]] virtual std::string place_of(const Hop& /*in*/, const Hop& /*next*/) const {
    return {};
  }

 protected:
  /// Returns the hop from `src` to `dst` as a result of next(); empty if no channel joins them.
  [[nodiscard]] std::vector<Hop> hop(std::uint32_t src, std::uint32_t dst, std::uint32_t vc) const {
    const auto channel = topology_.find_channel(src, dst);
    if (!channel) return {};
    return {Hop{*channel, vc}};
  }

 private:
  const BaseTopology& topology_;
};

/// Returns, for example, "0->1 vc0", and "0->1#1 vc0" for the second of parallel channels.
[[nodiscard]] std::string hop_name(const BaseTopology& topology, const Hop& hop);

}  // namespace kernbench::topology::zoo
