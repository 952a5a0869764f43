// SPDX-License-Identifier: Apache-2.0
// Runs one collective between the ranks of a group, on random numbers. The contract of the
// collective checks the results.

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "model/bench/random_data.hpp"
#include "model/bench/registry.hpp"
#include "model/ccl/process_group.hpp"

namespace kernbench::model::bench::collective {
namespace {

using runtime::Placement;
using runtime::Tensor;

std::vector<std::string_view> collective_names() {
  std::vector<std::string_view> names;
  for (const ccl::Collective* const one : ccl::collectives()) names.push_back(one->name);
  return names;
}

/// Returns the ranks in "3,1,2"; all ranks for "all".
std::vector<std::uint32_t> ranks_of(const std::string& text, std::uint32_t world_size) {
  std::vector<std::uint32_t> ranks;
  if (text == "all") {
    for (std::uint32_t rank = 0; rank < world_size; ++rank) ranks.push_back(rank);
    return ranks;
  }
  const char* at = text.data();
  const char* const end = text.data() + text.size();
  while (true) {
    std::uint32_t rank = 0;
    const auto [next, error] = std::from_chars(at, end, rank);
    if (error != std::errc() || (next != end && *next != ',')) {
      throw runtime::BadParameter(fmt::format(
          "'ranks' is '{}'; it must be all, or numbers with commas, such as 3,1,2", text));
    }
    ranks.push_back(rank);
    if (next == end) return ranks;
    at = next + 1;
  }
}

/// Returns the rows of the block from one member to another, 0 to 4, if blocks differ.
std::uint64_t rows_between(std::uint32_t from, std::uint32_t to) {
  return (3 * from + 2 * to) % 5;
}

void run(runtime::Context& kb) {
  const std::string name = kb.choice("collective", collective_names());
  const data::DataType type =
      *data::data_type_of(kb.choice("type", {"f32", "f16", "bf16", "i32", "i8"}));
  const std::uint64_t bytes = kb.number("bytes", 1);
  const std::uint64_t element = whole_bytes_of(type);
  const std::uint64_t columns = bytes / element;
  if (columns * element != bytes) {
    throw runtime::BadParameter(
        fmt::format("'bytes' must be a multiple of {}, the bytes of {}", element, name_of(type)));
  }
  const ccl::Collective& contract = *ccl::find_collective(name);
  const bool uneven = kb.number("uneven") != 0;
  if (uneven && !contract.uneven) {
    throw runtime::BadParameter(
        fmt::format("'uneven' must be 0: the blocks of {} are equal", name));
  }
  ccl::ProcessGroup world(kb.session(), "ahbm");
  ccl::Group& group = world.group("tested", ranks_of(kb.parameter("ranks"), world.world_size()));
  const auto root = static_cast<std::uint32_t>(kb.number("root"));
  if (root >= group.size()) {
    throw runtime::BadParameter(
        fmt::format("'root' is {}; the group has members 0 to {}", root, group.size() - 1));
  }

  ccl::spawn(kb, world, [&](ccl::Worker& worker) {
    runtime::Context& device = worker.kb();
    const auto work = [&](const std::function<void()>& call) { device.measure(name, call); };
    if (!group.index_of(worker.rank())) return work([] {});
    ccl::Member member = worker.in(group);
    const ccl::CallShape shape{group.size(), root};
    const auto rows = [&](std::uint32_t blocks, bool sends) {
      std::vector<std::uint64_t> list(blocks, 1);
      for (std::uint32_t peer = 0; uneven && peer < blocks; ++peer) {
        list[peer] = sends ? rows_between(member.rank(), peer) : rows_between(peer, member.rank());
      }
      return list;
    };
    const auto tensor = [&](const std::vector<std::uint64_t>& list, bool has_data) -> Tensor {
      if (list.empty()) return nullptr;
      std::uint64_t sum = 0;
      for (const std::uint64_t one : list) sum += one;
      const runtime::DpPolicy policy{Placement::Replicate, Placement::ColumnWise};
      return device.tensor(
          sum, columns, type, policy,
          has_data ? uniform(type, sum, columns, worker.rank() + 1) : runtime::HostData());
    };
    const auto sent = rows(contract.input_blocks(member.rank(), shape), true);
    const auto received = rows(contract.output_blocks(member.rank(), shape), false);
    const Tensor input = tensor(sent, true);
    const Tensor output = tensor(received, false);
    work([&] {
      if (uneven) {
        member.run(name, output, input, root, sent, received);
      } else {
        member.run(name, output, input, root);
      }
    });
  });
}

const Registration kBench{
    {"collective",
     "one collective between the ranks of a group, checked against its contract",
     {{"collective", "all_reduce", "its name, as in ccl.yaml"},
      {"bytes", "65536", "bytes of a block in each cube"},
      {"type", "i32", "type of the tensors"},
      {"ranks", "all", "ranks of the group in their order, such as 3,1,2"},
      {"root", "0", "member that is the root, by its place in the group"},
      {"uneven", "0", "1: blocks of all_to_all have 0 to 4 times these bytes"}},
     run}};

}  // namespace
}  // namespace kernbench::model::bench::collective
