// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/api.hpp"
#include "topology/zoo/layout/plot.hpp"

namespace kernbench::topology::zoo {

/// Size limits; larger topologies are rejected with std::invalid_argument.
inline constexpr std::uint32_t kMaxNodes = 65536;
inline constexpr std::uint32_t kMaxEndpoints = 1024;  ///< largest number at a node
inline constexpr std::uint64_t kMaxChannels = std::uint64_t{1} << 22U;

class BaseTopology;
class RoutingRelation;
/// Makes the relation over a topology that its file gives.
using MakeRouting = std::function<std::unique_ptr<RoutingRelation>(const BaseTopology&)>;

/// A base topology as in Constellation: routers, numbered from 0, joined by one-way channels.
/// Immutable once it is built. Each kind is a derived class whose constructor implements the rule.
class KERNBENCH_API BaseTopology {
 public:
  virtual ~BaseTopology() = default;
  BaseTopology(const BaseTopology&) = delete;
  BaseTopology& operator=(const BaseTopology&) = delete;

  /// Returns the kind with its parameters: "Mesh2D(4,3)".
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] std::uint32_t n_nodes() const { return n_nodes_; }
  /// Returns true if the nodes have names of their own, from the file that defines the topology.
  [[nodiscard]] bool has_node_names() const { return !node_names_.empty(); }
  /// Returns the name of a node, printable on one line, or its number if it has none.
  [[nodiscard]] std::string node_name(std::uint32_t node) const;
  /// Returns the names as given, by node; empty without names.
  [[nodiscard]] const std::vector<std::string>& node_names() const { return node_names_; }
  /// Returns true if the file that defines the topology counts the endpoints of its nodes.
  [[nodiscard]] bool has_endpoints() const { return !endpoints_.empty(); }
  /// Returns the number of places at a node where packets enter and leave: 1 if no file counts
  /// them.
  [[nodiscard]] std::uint32_t endpoints(std::uint32_t node) const {
    return endpoints_.empty() ? 1 : endpoints_.at(node);
  }
  /// Returns these numbers by node; empty if no file counts them.
  [[nodiscard]] const std::vector<std::uint32_t>& endpoints() const { return endpoints_; }
  /// Returns true if packets from `src` to `dst`, another node, exist.
  [[nodiscard]] bool is_pair(std::uint32_t src, std::uint32_t dst) const {
    return src != dst && endpoints(src) > 0 && endpoints(dst) > 0;
  }
  /// Returns true if packets from `src` must be able to reach `dst`, another node. Kinds whose
  /// channels lead one way by design say which pairs they serve.
  [[nodiscard]] virtual bool must_reach(std::uint32_t /*src*/, std::uint32_t /*dst*/) const {
    return true;
  }
  /// Returns true if a channel leads from `src` to `dst`, and false for nodes that do not exist.
  [[nodiscard]] bool connects(std::uint32_t src, std::uint32_t dst) const;

  /// Returns all channels by source, then by destination. Channel indices follow this order.
  /// Parallel channels are equal and follow each other.
  [[nodiscard]] const std::vector<Channel>& channels() const { return channels_; }
  /// Returns the channels that leave `src`, which must exist.
  [[nodiscard]] std::span<const Channel> channels_from(std::uint32_t src) const;
  /// Returns the index of the first of channels_from(src).
  [[nodiscard]] std::uint32_t first_channel_from(std::uint32_t src) const;
  /// Returns the index of a channel, the first of parallel ones, or nothing if it does not exist.
  [[nodiscard]] std::optional<std::uint32_t> find_channel(std::uint32_t src,
                                                          std::uint32_t dst) const;
  /// Returns the number of parallel channels before a channel.
  [[nodiscard]] std::uint32_t lane_of(std::uint32_t channel) const;
  /// Returns true if two channels join the same nodes in the same direction.
  [[nodiscard]] bool has_parallel_channels() const { return has_parallel_channels_; }

  /// Returns what makes the routes of a file for this topology; empty if it has those of its kind.
  [[nodiscard]] const MakeRouting& own_routing() const { return own_routing_; }
  void set_own_routing(MakeRouting make) { own_routing_ = std::move(make); }

  /// Returns the positions of the nodes and the bends of channels, without ingresses and egresses:
  /// those of any graph if a kind has none of its own.
  [[nodiscard]] virtual Plot layout() const;
  /// Returns the whole picture: layout() plus an ingress and an egress at each node, in free
  /// places.
  [[nodiscard]] Plot plotter() const;

 protected:
  /// A topology as built by a kind's rule. Channels may be in any order and repeated; repeated ones
  /// are one channel unless they are `parallel`.
  struct Definition {
    std::string name;
    std::uint32_t n_nodes = 0;
    std::vector<Channel> channels;
    std::vector<std::string> node_names = {};  ///< empty: the nodes are called by their numbers
    bool parallel = false;
    std::vector<std::uint32_t> endpoints = {};  ///< number at each node; empty: one
  };
  explicit BaseTopology(Definition definition);

  /// Throws std::invalid_argument: "name(...): 'parameter' must be at least ..., not ...".
  static void require_at_least(std::string_view name, std::string_view parameter,
                               std::uint32_t value, std::uint32_t least);
  /// Returns `nodes`. Throws std::invalid_argument above kMaxNodes or kMaxChannels.
  static std::uint32_t checked_size(std::string_view name, std::uint64_t nodes,
                                    std::uint64_t channels);

 private:
  std::string name_;
  std::uint32_t n_nodes_;
  std::vector<Channel> channels_;
  std::vector<std::uint32_t> first_from_;  ///< by source, plus one past the last
  std::vector<std::string> node_names_;
  std::vector<std::uint32_t> endpoints_;
  MakeRouting own_routing_;
  bool has_parallel_channels_ = false;
};

using TopologyPtr = std::shared_ptr<const BaseTopology>;
/// A topology that is being built.
using NewTopology = std::shared_ptr<BaseTopology>;

/// Returns, for example, "3->4".
[[nodiscard]] std::string channel_name(const Channel& channel);
/// Returns the most register stages of a channel, where `otherwise` is that of channels without any
/// of their own; at least `otherwise`.
[[nodiscard]] std::uint32_t most_stages(const BaseTopology& topology, std::uint32_t otherwise);
/// Returns the same with the names of the nodes: "R3->R4".
[[nodiscard]] std::string channel_name(const BaseTopology& topology, const Channel& channel);

}  // namespace kernbench::topology::zoo
