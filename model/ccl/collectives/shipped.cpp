// SPDX-License-Identifier: Apache-2.0
// The contracts of the collectives that ship.

#include "model/ccl/collective.hpp"

namespace kernbench::model::ccl::shipped_collectives {
namespace {

std::uint32_t none(std::uint32_t /*member*/, const CallShape& /*call*/) {
  return 0;
}
std::uint32_t one(std::uint32_t /*member*/, const CallShape& /*call*/) {
  return 1;
}
std::uint32_t all(std::uint32_t /*member*/, const CallShape& call) {
  return call.size;
}
std::uint32_t one_at_root(std::uint32_t member, const CallShape& call) {
  return member == call.root ? 1 : 0;
}
std::uint32_t all_at_root(std::uint32_t member, const CallShape& call) {
  return member == call.root ? call.size : 0;
}

/// Returns a block of all members.
std::vector<Source> of_all(std::uint32_t block, const CallShape& call) {
  std::vector<Source> sources(call.size);
  for (std::uint32_t member = 0; member < call.size; ++member) sources[member] = {member, block};
  return sources;
}

std::vector<Source> sum_of_all(std::uint32_t /*member*/, std::uint32_t block,
                               const CallShape& call) {
  return of_all(block, call);
}
std::vector<Source> own_part_of_sum(std::uint32_t member, std::uint32_t /*block*/,
                                    const CallShape& call) {
  return of_all(member, call);
}
std::vector<Source> from_each(std::uint32_t /*member*/, std::uint32_t block,
                              const CallShape& /*call*/) {
  return {{block, 0}};
}
std::vector<Source> from_root(std::uint32_t /*member*/, std::uint32_t /*block*/,
                              const CallShape& call) {
  return {{call.root, 0}};
}
std::vector<Source> own_part_of_root(std::uint32_t member, std::uint32_t /*block*/,
                                     const CallShape& call) {
  return {{call.root, member}};
}
std::vector<Source> own_part_of_each(std::uint32_t member, std::uint32_t block,
                                     const CallShape& /*call*/) {
  return {{block, member}};
}
std::vector<Source> nothing(std::uint32_t /*member*/, std::uint32_t /*block*/,
                            const CallShape& /*call*/) {
  return {};
}

const CollectiveRegistration kAllReduce{
    {"all_reduce", "every member gets the sum of all", true, false, false, one, one, sum_of_all}};
const CollectiveRegistration kReduce{
    {"reduce", "the root gets the sum of all", true, false, false, one, one_at_root, sum_of_all}};
const CollectiveRegistration kReduceScatter{{"reduce_scatter",
                                             "member m gets block m of the sum of all", true, false,
                                             false, all, one, own_part_of_sum}};
const CollectiveRegistration kAllGather{{"all_gather", "every member gets the blocks of all", false,
                                         false, false, one, all, from_each}};
const CollectiveRegistration kGather{{"gather", "the root gets the blocks of all", false, false,
                                      false, one, all_at_root, from_each}};
const CollectiveRegistration kBroadcast{{"broadcast", "every member gets the root's block", false,
                                         false, false, one_at_root, one, from_root}};
const CollectiveRegistration kScatter{{"scatter", "member m gets block m of the root", false, false,
                                       false, all_at_root, one, own_part_of_root}};
const CollectiveRegistration kAllToAll{{"all_to_all",
                                        "member m gets block m of each; blocks may differ in size",
                                        false, true, false, all, all, own_part_of_each}};
const CollectiveRegistration kBarrier{{"barrier", "returns when all members have called it", false,
                                       false, true, none, none, nothing}};

}  // namespace
}  // namespace kernbench::model::ccl::shipped_collectives
