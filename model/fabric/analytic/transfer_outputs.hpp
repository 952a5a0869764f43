// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "model/fabric/seam/fabric.hpp"
#include "topology/spec/topology_spec.hpp"
#include "topology/zoo/base/flattened_butterfly.hpp"
#include "topology/zoo/routing/routing_relation.hpp"

namespace kernbench::model::fabric {

/// A channel by which a transfer leaves a node.
struct TransferOutput {
  topology::zoo::Hop hop;
  bool ends = false;  ///< the packets end at the next node
};

/// Routes transfers: unicasts by the first choice of a routing relation; multicasts along the rows
/// and columns of a FlattenedButterfly, a broadcast along the first dimension and from each node
/// there along the second.
class TransferOutputs {
 public:
  /// Throws std::invalid_argument for a relation over another topology.
  TransferOutputs(topology::zoo::TopologyPtr topology,
                  std::shared_ptr<const topology::zoo::RoutingRelation> relation,
                  topology::DimensionOrder broadcast_order);

  [[nodiscard]] const topology::zoo::BaseTopology& topology() const { return *topology_; }
  [[nodiscard]] bool has_rows_and_columns() const { return butterfly_ != nullptr; }

  /// Throws std::invalid_argument for a unicast whose source does not reach its destination.
  void require_route(const Transfer& transfer) const;

  /// Returns the outputs of a transfer at `node`, which it entered by `in` (none at the source).
  /// The result is empty for a transfer from a node to itself alone, and valid until the next call.
  /// Throws std::logic_error when the relation leads to a dead end.
  [[nodiscard]] const std::vector<TransferOutput>& find(
      const Transfer& transfer, std::uint32_t node, const std::optional<topology::zoo::Hop>& in);

 private:
  void find_unicast(const Transfer& transfer, std::uint32_t node,
                    const std::optional<topology::zoo::Hop>& in);
  void find_multicast(const Transfer& transfer, std::uint32_t node, bool at_source);

  topology::zoo::TopologyPtr topology_;
  std::shared_ptr<const topology::zoo::RoutingRelation> relation_;
  const topology::zoo::FlattenedButterfly* butterfly_;  ///< null: multicasts are not possible
  topology::DimensionOrder broadcast_order_;
  std::vector<TransferOutput> outputs_;  ///< result of find()
};

}  // namespace kernbench::model::fabric
