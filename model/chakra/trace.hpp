// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/enum_names.hpp"
#include "common/hash.hpp"

namespace kernbench::model::chakra {

/// The kinds of nodes that a replay tells apart.
enum class NodeKind : std::uint8_t {
  Metadata,     ///< takes no time
  Load,         ///< reads memory
  Store,        ///< writes memory
  Computation,  ///< occupies the rank, or its host
  Send,
  Receive,
  Collective,
  Unknown,  ///< a type that the format does not have; takes no time
};
inline constexpr std::size_t kNodeKinds = 8;
inline constexpr std::array<common::EnumName<NodeKind>, kNodeKinds> kNodeKindNames = {
    {{"metadata", NodeKind::Metadata},
     {"load", NodeKind::Load},
     {"store", NodeKind::Store},
     {"computation", NodeKind::Computation},
     {"send", NodeKind::Send},
     {"receive", NodeKind::Receive},
     {"collective", NodeKind::Collective},
     {"unknown", NodeKind::Unknown}}};
constexpr const auto& name_table(NodeKind /*any*/) {
  return kNodeKindNames;
}
[[nodiscard]] constexpr std::string_view name_of(NodeKind kind) {
  return common::name_of(kNodeKindNames, kind);
}

/// The longest time of a computation.
inline constexpr std::int64_t kLongestComputationPs = std::int64_t{1} << 62U;

/// A node of a rank's trace. Nodes of a rank are sorted by id; indices refer to this order.
struct Node {
  std::uint64_t id = 0;
  std::uint64_t position = 0;     ///< byte of its message in the (uncompressed) file
  std::int64_t duration_ps = -1;  ///< recorded duration of a computation; -1 if there is none
  std::uint64_t operations = 0;   ///< floating-point operations of a computation
  std::uint64_t bytes = 0;        ///< memory traffic, or size of the communication
  std::uint32_t detail = 0;       ///< index in `messages` or `calls`
  std::uint32_t name = 0;         ///< first character in RankTrace::names
  std::uint32_t dependencies = 0;
  std::uint32_t first_child = 0;  ///< index in RankTrace::children
  NodeKind kind = NodeKind::Metadata;
  bool on_host = false;  ///< `is_cpu_op`
};

/// The other end of a send or a receive.
struct MessageEnd {
  std::uint32_t peer = 0;
  std::int64_t tag = 0;
};

/// A call of a collective.
struct CollectiveCall {
  std::uint32_t collective = 0;  ///< index in kCollectives
  std::uint32_t group = 0;       ///< index in TraceSet::groups
  std::uint32_t root = 0;        ///< index of the root among the members
  bool has_root = false;         ///< the trace names the root
};

/// The trace of one rank.
struct RankTrace {
  std::vector<Node> nodes;
  std::vector<std::uint32_t> children;  ///< indices of nodes, see children_of()
  std::vector<MessageEnd> messages;
  std::vector<CollectiveCall> calls;
  std::string names;  ///< names of nodes, each ending with '\0'

  [[nodiscard]] std::string_view name(const Node& node) const { return names.data() + node.name; }
  /// Returns the nodes that depend on a node, one of them as often as it names the node.
  [[nodiscard]] std::span<const std::uint32_t> children_of(std::size_t node) const {
    const std::size_t end =
        node + 1 == nodes.size() ? children.size() : nodes[node + 1].first_child;
    return std::span(children).subspan(nodes[node].first_child, end - nodes[node].first_child);
  }
  /// Returns "node 7 'matmul'", with a long name shortened.
  [[nodiscard]] std::string describe(const Node& node) const;
};

/// A process group of the traces.
struct TraceGroup {
  std::string name;                  ///< `pg_name`; "" for all ranks
  std::vector<std::uint32_t> ranks;  ///< in the order of members
};

/// The traces of all ranks.
struct TraceSet {
  std::vector<RankTrace> ranks;
  std::vector<TraceGroup> groups;
  std::map<std::int32_t, std::uint64_t> unknown_types;        ///< number of nodes by type
  std::map<std::string, std::uint64_t> unknown_attributes{};  ///< number of attributes by name
  std::uint64_t absent_dependencies = 0;  ///< on nodes that are not in the file, taken as done
  std::uint64_t dropped_dependencies =
      0;                    ///< control dependencies of ranks where they close a circle
  common::ByteHash hash{};  ///< hash of all messages
};

/// How a `comm_type` runs.
struct CollectiveType {
  std::string_view name;        ///< in messages and reports
  std::string_view collective;  ///< name in model/ccl
  bool has_root = false;
  bool has_bytes = true;
};
/// The collectives by `comm_type`.
inline constexpr CollectiveType kCollectives[] = {
    {"all-reduce", "all_reduce"},
    {"reduce", "reduce", true},
    {"all-gather", "all_gather"},
    {"gather", "gather", true},
    {"scatter", "scatter", true},
    {"broadcast", "broadcast", true},
    {"all-to-all", "all_to_all"},
    {"reduce-scatter", "reduce_scatter"},
    {"reduce-scatter-block", "reduce_scatter"},
    {"barrier", "barrier", false, false},
};

}  // namespace kernbench::model::chakra
