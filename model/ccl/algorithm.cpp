// SPDX-License-Identifier: Apache-2.0
#include "model/ccl/algorithm.hpp"

#include <utility>

#include "common/registry.hpp"

namespace kernbench::model::ccl {

namespace {

common::Registry<Algorithm>& known_algorithms() {
  static common::Registry<Algorithm> algorithms("algorithm");
  return algorithms;
}

}  // namespace

Team CollectiveArgs::team_of(const kernel::Tl& tl) const {
  Team place = team;
  if (ends == Ends::Cubes) {
    const auto cube = static_cast<std::uint32_t>(tl.program_id(1));
    place.index = rank * cubes.nodes() + snake(cubes, cube);
  }
  return place;
}

const std::vector<const Algorithm*>& algorithms() {
  return known_algorithms().all();
}

const Algorithm* find_algorithm(std::string_view name) {
  return known_algorithms().find(name);
}

std::vector<const Algorithm*> algorithms_of(std::string_view collective) {
  std::vector<const Algorithm*> found;
  for (const Algorithm* const algorithm : algorithms()) {
    if (algorithm->collective == collective) found.push_back(algorithm);
  }
  return found;
}

AlgorithmRegistration::AlgorithmRegistration(Algorithm algorithm) {
  known_algorithms().add(std::move(algorithm));
}

}  // namespace kernbench::model::ccl
