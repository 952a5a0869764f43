// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <execution_trace.pb.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "common/diagnostics.hpp"
#include "model/chakra/dependencies.hpp"
#include "model/chakra/group_table.hpp"
#include "model/chakra/trace.hpp"

namespace kernbench::model::chakra {

/// Prefix of the attributes of GlobalMetadata that list the ranks of a group.
inline constexpr std::string_view kGroupAttribute = "process_group:";

/// Reads the file of one rank.
class RankReader {
 public:
  /// Adds unknown types and attributes to `set`, groups to `groups` and errors to `errors`.
  RankReader(std::string file, std::uint32_t rank, std::uint32_t ranks, TraceSet& set,
             GroupTable& groups, common::Diagnostics& errors)
      : file_(std::move(file)),
        rank_(rank),
        ranks_(ranks),
        set_(set),
        groups_(groups),
        errors_(errors) {}

  [[nodiscard]] RankTrace read();

 private:
  /// The attributes of a node that a replay uses.
  struct Attributes {
    std::optional<std::int64_t> is_cpu_op, comm_type, comm_size, comm_src, comm_dst, comm_tag,
        comm_root, num_ops, tensor_size, duration_ps;
    std::string group;
  };
  using Number = std::optional<std::int64_t> Attributes::*;

  /// Returns false for a message that is not a GlobalMetadata.
  [[nodiscard]] bool read_metadata(const std::string& message);
  void read_node(const std::string& message);
  void read_attributes(Attributes& found);
  void read_computation(Node& node, const Attributes& found);
  void read_message(Node& node, const Attributes& found);
  void read_collective(Node& node, const Attributes& found);
  /// Returns a required attribute that is at least `least`, or reports it and returns 0.
  std::uint64_t required(const std::optional<std::int64_t>& value, const char* name,
                         std::int64_t least);
  /// Returns an optional attribute that is not negative, 0 without one.
  std::uint64_t amount(const std::optional<std::int64_t>& value, const char* name) {
    return value ? required(value, name, 0) : 0;
  }
  void error(const std::string& text);

  std::string file_;
  std::uint32_t rank_;
  std::uint32_t ranks_;
  TraceSet& set_;
  GroupTable& groups_;
  common::Diagnostics& errors_;
  RankTrace trace_;
  DependencyIds dependencies_;
  std::uint64_t position_ = 0;
  kernbench::chakra::Node message_;  ///< the node being read
  bool in_node_ = false;
};

}  // namespace kernbench::model::chakra
