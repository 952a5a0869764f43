// SPDX-License-Identifier: Apache-2.0
#include "model/ccl/algorithm.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <utility>

namespace kernbench::model::ccl {

namespace {

/// Filled before main(); constant afterwards.
std::vector<Algorithm>& registered() {
  static std::vector<Algorithm> all;
  return all;
}

}  // namespace

std::string_view name_of(Collective collective) {
  switch (collective) {
    case Collective::AllReduce:
      return "all_reduce";
    case Collective::AllGather:
      return "all_gather";
    case Collective::ReduceScatter:
      return "reduce_scatter";
    case Collective::Broadcast:
      return "broadcast";
    case Collective::Barrier:
      return "barrier";
  }
  return "?";
}

AlgorithmRegistration::AlgorithmRegistration(Algorithm algorithm) {
  std::vector<Algorithm>& all = registered();
  const auto place =
      std::lower_bound(all.begin(), all.end(), algorithm,
                       [](const Algorithm& a, const Algorithm& b) { return a.name < b.name; });
  if (place != all.end() && place->name == algorithm.name) {
    std::fprintf(stderr, "kernbench: the algorithm name '%s' is already registered\n",
                 algorithm.name.c_str());
    std::abort();
  }
  all.insert(place, std::move(algorithm));
}

const std::vector<Algorithm>& algorithms() {
  return registered();
}

const Algorithm* find_algorithm(std::string_view name) {
  for (const Algorithm& algorithm : algorithms()) {
    if (algorithm.name == name) return &algorithm;
  }
  return nullptr;
}

}  // namespace kernbench::model::ccl
