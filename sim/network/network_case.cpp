// SPDX-License-Identifier: Apache-2.0
#include "sim/network/network_case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace kernbench::sim {

std::vector<NetworkCase> network_cases(const maze::Shape& shape, std::uint64_t seed) {
  std::vector<NetworkCase> cases;
  const auto add = [&](const std::string& variant, NetworkCase one) {
    one.name = variant.empty() ? one.suite : one.suite + "-" + variant;
    one.seed = seed;
    cases.push_back(std::move(one));
  };
  add("", {.suite = "alone", .pattern = NetworkPattern::Alone});
  for (const double load : {0.1, 0.5, 0.8, 0.9}) {
    add(fmt::format("{}", load), {.suite = "uniform", .cycles = 20'000, .load = load});
  }
  add("saturated", {.suite = "uniform", .cycles = 200'000});
  add("low", {.suite = "uniform", .cycles = 20'000, .high = 0.0});
  add("high", {.suite = "uniform", .cycles = 20'000, .high = 1.0});
  add("", {.suite = "permutation", .cycles = 50'000, .pattern = NetworkPattern::Permutation});
  // Many high packets in a row to an output for which a low one waits: the bound of high.
  add("high", {.suite = "permutation",
               .cycles = 20'000,
               .pattern = NetworkPattern::Permutation,
               .high = 0.97});
  // The same with packets that wait on all of their way, so that low ones do.
  add("high-stalled", {.suite = "permutation",
                       .cycles = 20'000,
                       .pattern = NetworkPattern::Permutation,
                       .high = 0.97,
                       .stalls = NetworkStalls::Random});
  add("", {.suite = "hotspot", .cycles = 20'000, .pattern = NetworkPattern::Hotspot});
  add("", {.suite = "bursts", .cycles = 20'000, .load = 0.3, .longest_burst = 256});
  add("few", {.suite = "multicast", .cycles = 20'000, .multicasts = 0.05});
  add("all", {.suite = "multicast", .cycles = 20'000, .multicasts = 1.0});
  const std::pair<const char*, NetworkStalls> stalls[] = {{"random", NetworkStalls::Random},
                                                          {"long", NetworkStalls::Long},
                                                          {"together", NetworkStalls::All},
                                                          {"one", NetworkStalls::One}};
  for (const auto& [name, kind] : stalls) {
    const std::uint64_t cycles = kind == NetworkStalls::One ? 1200 * shape.nodes() : 20'000;
    add(name, {.suite = "stalls", .cycles = cycles, .multicasts = 0.05, .stalls = kind});
  }
  add("", {.suite = "resets",
           .cycles = 20'000,
           .multicasts = 0.05,
           .stalls = NetworkStalls::Random,
           .resets = 20});
  // After each of many resets the first grants show where the arbiters start.
  add("many", {.suite = "resets", .cycles = 20'000, .multicasts = 0.02, .resets = 500});
  // Resets while a fork has sent some of its copies.
  add("trees",
      {.suite = "resets", .cycles = 20'000, .load = 0.3, .multicasts = 0.3, .resets = 500});
  for (const unsigned failed : {1U, shape.nodes() - 2}) {
    add(fmt::format("failed-{}", failed),
        {.suite = "resets", .cycles = 20'000, .multicasts = 0.1, .failed = failed, .resets = 500});
  }
  for (unsigned node = 0; node < shape.nodes(); ++node) {
    add(fmt::format("{}", node),
        {.suite = "failed-node",
         .cycles = 2'000,
         .multicasts = 0.1,
         .stalls = node % 2 == 0 ? NetworkStalls::None : NetworkStalls::Random,
         .failed = node});
  }
  for (unsigned node = 0; node < shape.nodes(); ++node) {
    add(fmt::format("{}", node),
        {.suite = "detours", .cycles = 1'000, .pattern = NetworkPattern::Detours, .failed = node});
  }
  // At this load a detour often meets a packet of the node where it turns soon after a reset, and
  // either may have come first before it. Behind an output of a small network there are fewer
  // nodes to fail, so each gets more resets.
  const unsigned resets = 200 * std::clamp(64 / shape.nodes(), 1U, 4U);
  for (unsigned node = 0; node < shape.nodes(); ++node) {
    add(fmt::format("resets-{}", node), {.suite = "detours",
                                         .cycles = std::uint64_t{30} * resets,
                                         .pattern = NetworkPattern::Detours,
                                         .load = 0.6,
                                         .failed = node,
                                         .resets = resets});
  }
  return cases;
}

}  // namespace kernbench::sim
