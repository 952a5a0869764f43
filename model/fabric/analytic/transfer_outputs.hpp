// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "model/fabric/seam/fabric.hpp"
#include "topology/spec/spec_values.hpp"
#include "topology/zoo/base/flattened_butterfly.hpp"
#include "topology/zoo/routing/routing_relation.hpp"

namespace kernbench::model::fabric {

/// A channel by which a transfer leaves a node.
struct TransferOutput {
  topology::zoo::Hop hop;
  bool ends = false;  ///< the packets end at the next node
};

/// Routes transfers: unicasts by the first choice of a routing relation; multicasts along the rows
/// and columns of a FlattenedButterfly, along the first dimension and from the nodes there along
/// the second. Port B of node n, if nodes have one, is the hop behind the last channel, plus n.
class TransferOutputs {
 public:
  /// With `exits`, packets leave a node by its port B instead of ending on arrival. Throws
  /// std::invalid_argument for a relation over another topology.
  TransferOutputs(topology::zoo::TopologyPtr topology,
                  std::shared_ptr<const topology::zoo::RoutingRelation> relation,
                  topology::DimensionOrder order, bool exits);

  [[nodiscard]] const topology::zoo::BaseTopology& topology() const { return *topology_; }
  [[nodiscard]] bool has_rows_and_columns() const { return butterfly_ != nullptr; }

  /// Throws std::invalid_argument for a unicast whose source does not reach its destination.
  void require_route(const Transfer& transfer) const;

  /// Returns the nodes that a multicast names, in ascending order.
  [[nodiscard]] std::vector<std::uint32_t> destinations(const Transfer& transfer) const;

  /// Returns the outputs of a transfer at `node`, which it entered by `in` (none at the source).
  /// Without exits the result is empty where the transfer ends. It is valid until the next call.
  /// Throws std::logic_error when the relation leads to a dead end.
  [[nodiscard]] const std::vector<TransferOutput>& find(
      const Transfer& transfer, std::uint32_t node, const std::optional<topology::zoo::Hop>& in);

 private:
  void find_unicast(const Transfer& transfer, std::uint32_t node,
                    const std::optional<topology::zoo::Hop>& in);
  void find_multicast(const Transfer& transfer, std::uint32_t node,
                      const std::optional<topology::zoo::Hop>& in);
  void leave_at(std::uint32_t node);
  [[nodiscard]] bool changes_first(const topology::zoo::Channel& channel) const;
  [[nodiscard]] bool same_first(std::uint32_t a, std::uint32_t b) const;
  [[nodiscard]] bool same_second(std::uint32_t a, std::uint32_t b) const;
  [[nodiscard]] std::uint32_t nodes_in_second() const;

  topology::zoo::TopologyPtr topology_;
  std::shared_ptr<const topology::zoo::RoutingRelation> relation_;
  const topology::zoo::FlattenedButterfly* butterfly_;  ///< null: multicasts are not possible
  topology::DimensionOrder order_;                      ///< dimension order of multicasts
  bool exits_;
  std::vector<TransferOutput> outputs_;  ///< result of find()
};

}  // namespace kernbench::model::fabric
