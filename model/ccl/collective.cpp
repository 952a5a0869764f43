// SPDX-License-Identifier: Apache-2.0
#include "model/ccl/collective.hpp"

#include <utility>

#include "common/registry.hpp"

namespace kernbench::model::ccl {

namespace {

common::Registry<Collective>& known_collectives() {
  static common::Registry<Collective> collectives("collective");
  return collectives;
}

}  // namespace

const std::vector<const Collective*>& collectives() {
  return known_collectives().all();
}

const Collective* find_collective(std::string_view name) {
  return known_collectives().find(name);
}

CollectiveRegistration::CollectiveRegistration(Collective collective) {
  known_collectives().add(std::move(collective));
}

}  // namespace kernbench::model::ccl
