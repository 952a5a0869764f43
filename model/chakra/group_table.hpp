// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "common/diagnostics.hpp"
#include "model/chakra/trace.hpp"

namespace kernbench::model::chakra {

/// Collects the process groups of traces. Files list the ranks of a group in their metadata; a
/// group that no file lists has the ranks that call its collectives, in ascending order.
class GroupTable {
 public:
  /// Takes the number of ranks; the group 0 has all of them and no name.
  explicit GroupTable(std::uint32_t ranks);

  /// Returns the index of the group with this name, for a call by `rank`.
  std::uint32_t called(const std::string& name, std::uint32_t rank);
  /// Notes what a file lists. Reports ranks that are listed twice or do not exist, an empty list,
  /// and a list that differs from that of another file.
  void list(const std::string& name, const std::vector<std::int64_t>& ranks,
            const std::string& file, common::Diagnostics& errors);
  /// Returns all groups, when all files have been read.
  [[nodiscard]] std::vector<TraceGroup> groups() const;

 private:
  struct Group {
    std::string name;
    std::vector<std::uint32_t> listed;
    std::string file;  ///< first file that lists it; "" if none does
    std::vector<std::uint32_t> callers;
  };
  std::uint32_t find(const std::string& name);

  std::uint32_t ranks_;
  std::vector<Group> groups_;
  std::map<std::string, std::uint32_t> index_;
};

}  // namespace kernbench::model::chakra
