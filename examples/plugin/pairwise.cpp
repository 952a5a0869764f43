// SPDX-License-Identifier: Apache-2.0
// A collective and its algorithm: every member sends a block to each other one, by pairwise
// exchange: in step k, to the member k places ahead, while the block of the one k places behind
// arrives.
#include <kernbench/collective.hpp>

#include <utility>

namespace {

using namespace kernbench::model;
using ccl::CallShape;
using ccl::Round;
using ccl::Tiles;

// The contract: a member has a block for each member, and gets one from each.
std::uint32_t blocks(std::uint32_t /*member*/, const CallShape& call) {
  return call.size;
}
std::vector<ccl::Source> sources(std::uint32_t member, std::uint32_t block,
                                 const CallShape& /*call*/) {
  return {{block, member}};
}

std::string to(const Round& round, std::uint32_t member) {
  return round.team.to(std::to_string(member));
}

Tiles exchange(kernel::Tl& tl, const Round& round, const Tiles& input) {
  const std::uint32_t n = round.team.size;
  const std::uint32_t own = round.team.index;
  std::vector<std::pair<std::uint32_t, kernel::PendingTile>> pending;
  for (std::uint32_t step = 1; step < n; ++step) {
    const std::uint32_t from = (own + n - step) % n;
    if (round.output[from] == 0) continue;
    pending.emplace_back(from, tl.irecv(to(round, from), 1, round.output[from], round.type));
  }
  for (std::uint32_t step = 1; step < n; ++step) {
    const std::uint32_t target = (own + step) % n;
    if (input[target]) tl.send(to(round, target), *input[target]);
  }
  Tiles results = round.results();
  results[own] = input[own];
  for (auto& [from, block] : pending) results[from] = tl.wait(std::move(block));
  return results;
}

void run(kernel::Tl& tl, const ccl::CollectiveArgs& args) {
  ccl::exchange_in_rounds(tl, args, exchange);
}

const ccl::CollectiveRegistration kExchange{{.name = "example_exchange",
                                             .description = "member m gets block m of each",
                                             .input_blocks = blocks,
                                             .output_blocks = blocks,
                                             .after = sources}};
const ccl::AlgorithmRegistration kPairwise{{"example-pairwise",
                                            "each pair of members exchanges its blocks",
                                            "example_exchange",
                                            {"pairs"},
                                            nullptr,
                                            run}};

}  // namespace
