// SPDX-License-Identifier: Apache-2.0
#include "model/chakra/group_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace kernbench::model::chakra {

GroupTable::GroupTable(std::uint32_t ranks) : ranks_(ranks) {
  Group& all = groups_[find("")];
  all.listed.resize(ranks);
  std::iota(all.listed.begin(), all.listed.end(), 0U);
}

std::uint32_t GroupTable::find(const std::string& name) {
  const auto [at, added] = index_.try_emplace(name, static_cast<std::uint32_t>(groups_.size()));
  if (added) groups_.push_back({name, {}, {}, {}});
  return at->second;
}

std::uint32_t GroupTable::called(const std::string& name, std::uint32_t rank) {
  const std::uint32_t index = find(name);
  std::vector<std::uint32_t>& callers = groups_[index].callers;
  if (callers.empty() || callers.back() != rank) callers.push_back(rank);
  return index;
}

void GroupTable::list(const std::string& name, const std::vector<std::int64_t>& ranks,
                      const std::string& file, common::Diagnostics& errors) {
  std::vector<std::uint32_t> checked;
  for (const std::int64_t rank : ranks) {
    if (rank < 0 || rank >= ranks_) {
      errors.error({file}, fmt::format("group '{}' has rank {}, but the ranks are 0 to {}", name,
                                       rank, ranks_ - 1));
      return;
    }
    const auto known = static_cast<std::uint32_t>(rank);
    if (std::find(checked.begin(), checked.end(), known) != checked.end()) {
      errors.error({file}, fmt::format("group '{}' has rank {} twice", name, rank));
      return;
    }
    checked.push_back(known);
  }
  if (checked.empty()) {
    errors.error({file}, fmt::format("group '{}' has no ranks", name));
    return;
  }
  Group& group = groups_[find(name)];
  if (group.file.empty()) {
    group.listed = std::move(checked);
    group.file = file;
  } else if (group.listed != checked) {
    errors.error({file},
                 fmt::format("group '{}' has the ranks {}, but {} in {}", name,
                             fmt::join(checked, ", "), fmt::join(group.listed, ", "), group.file));
  }
}

std::vector<TraceGroup> GroupTable::groups() const {
  std::vector<TraceGroup> groups;
  for (const Group& group : groups_) {
    groups.push_back({group.name, group.listed.empty() ? group.callers : group.listed});
  }
  return groups;
}

}  // namespace kernbench::model::chakra
