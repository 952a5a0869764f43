// SPDX-License-Identifier: Apache-2.0
#include "model/chakra/read_traces.hpp"

#include <fmt/format.h>
#include <google/protobuf/stubs/logging.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "common/diagnostics.hpp"
#include "common/numbers.hpp"
#include "model/chakra/group_table.hpp"
#include "model/chakra/rank_reader.hpp"

namespace kernbench::model::chakra {

namespace {

namespace fs = std::filesystem;

std::string file_of(const std::string& prefix, std::uint64_t rank) {
  return fmt::format("{}.{}.et", prefix, rank);
}

/// Returns the ranks that have a file.
std::set<std::uint64_t> find_ranks(const std::string& prefix) {
  const fs::path whole(prefix);
  const fs::path folder = whole.has_parent_path() ? whole.parent_path() : fs::path(".");
  const std::string start = whole.filename().string() + ".";
  std::set<std::uint64_t> ranks;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(start) || !name.ends_with(".et")) continue;
    if (name.size() < start.size() + 4) continue;
    const std::string digits = name.substr(start.size(), name.size() - start.size() - 3);
    const auto rank = common::parse_u64(digits);
    if (rank && fmt::format("{}", *rank) == digits) ranks.insert(*rank);
  }
  return ranks;
}

/// Returns the number of ranks. Throws common::BadInput unless their files are there.
std::uint32_t count_ranks(const std::string& prefix, std::uint32_t most_ranks) {
  const std::set<std::uint64_t> found = find_ranks(prefix);
  if (found.empty()) {
    throw common::BadInput(
        fmt::format("there is no file {}; traces are PREFIX.RANK.et, one for "
                    "each rank from 0",
                    file_of(prefix, 0)));
  }
  if (*found.rbegin() >= most_ranks) {
    throw common::BadInput(fmt::format("{} is the trace of rank {}, but the system has {} rank{}",
                                       file_of(prefix, *found.rbegin()), *found.rbegin(),
                                       most_ranks, most_ranks == 1 ? "" : "s"));
  }
  common::Diagnostics errors;
  for (std::uint64_t rank = 0; rank < *found.rbegin(); ++rank) {
    if (found.count(rank) == 0) {
      errors.error({file_of(prefix, rank)},
                   fmt::format("the trace of rank {} is missing; there are files up to rank {}",
                               rank, *found.rbegin()));
    }
  }
  errors.throw_if_any();
  return static_cast<std::uint32_t>(found.size());
}

/// Turns the roots of calls into indices of members. Reports calls by ranks that are not members,
/// and roots that are not.
void check_calls(const std::string& file, std::uint32_t rank, RankTrace& trace,
                 const std::vector<TraceGroup>& groups, common::Diagnostics& errors) {
  const auto index_in = [](const TraceGroup& group, std::uint32_t wanted) {
    return std::find(group.ranks.begin(), group.ranks.end(), wanted) - group.ranks.begin();
  };
  for (const Node& node : trace.nodes) {
    if (node.kind != NodeKind::Collective) continue;
    CollectiveCall& call = trace.calls[node.detail];
    const TraceGroup& group = groups[call.group];
    const auto size = static_cast<std::ptrdiff_t>(group.ranks.size());
    const auto check = [&](std::uint32_t one, const char* what) {
      if (index_in(group, one) < size) return;
      errors.error({file}, fmt::format("byte {}: {}: {} {} is not in group '{}', whose ranks are "
                                       "{}",
                                       node.position, trace.describe(node), what, one, group.name,
                                       fmt::join(group.ranks, ", ")));
    };
    check(rank, "rank");
    if (!call.has_root || !kCollectives[call.collective].has_root) {
      call.root = 0;
    } else {
      check(call.root, "the root");
      call.root = static_cast<std::uint32_t>(index_in(group, call.root));
    }
  }
}

}  // namespace

TraceSet read_traces(const std::string& prefix, std::uint32_t most_ranks) {
  const google::protobuf::LogSilencer no_messages_beside_ours;
  const std::uint32_t ranks = count_ranks(prefix, most_ranks);
  TraceSet set;
  GroupTable groups(ranks);
  common::Diagnostics errors;
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {
    RankReader reader(file_of(prefix, rank), rank, ranks, set, groups, errors);
    set.ranks.push_back(reader.read());
  }
  errors.throw_if_any();
  set.groups = groups.groups();
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {
    check_calls(file_of(prefix, rank), rank, set.ranks[rank], set.groups, errors);
  }
  errors.throw_if_any();
  return set;
}

}  // namespace kernbench::model::chakra
