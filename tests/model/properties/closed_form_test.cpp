// SPDX-License-Identifier: Apache-2.0
// An access on an otherwise idle machine takes exactly the time of the recurrence.
#include "model/probe/closed_form.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/model/properties/property.hpp"
#include "tests/model/properties/reference_latency.hpp"
#include "tests/model/properties/run_accesses.hpp"

namespace kernbench::model::properties {
namespace {

using common::SimTime;
using components::AccessRequest;
using components::ComponentRegistry;
using components::HbmCtrl;
using components::Service;

std::string equals_closed_form(std::uint64_t seed, const ComponentRegistry& components) {
  RandomSystem system(seed);
  for (int i = 0; i < 4; ++i) {
    const AccessRequest request = system.access(64, {}).request;
    const SimTime measured = latency_alone(system, request, {&components});
    const SimTime expected = reference_latency(system, request);
    if (measured != expected) {
      return fmt::format("access {}: {} ps, {} ps by the recurrence", i, measured.ps(),
                         expected.ps());
    }
    const auto memory = system.graph().node(system.graph().edge(request.route.back()).to).kind;
    if (memory != topology::NodeKind::HbmCtrl ||
        request.source != transport::SourceOverhead::Added) {
      continue;
    }
    const std::vector<topology::EdgeId> back = system.way_back(request.route);
    const probe::Breakdown form = probe::closed_form(
        system.graph(), {request.write, request.route, back, request.address, request.bytes});
    if (measured != form.latency()) {
      return fmt::format("access {}: {} ps, {} ps by the closed form", i, measured.ps(),
                         form.latency().ps());
    }
  }
  return "";
}

/// Takes one picosecond too long.
struct LateHbm : HbmCtrl {
  using HbmCtrl::HbmCtrl;
  Service serve(bool write, std::uint64_t address, std::uint32_t bytes, SimTime ready,
                std::uint64_t transaction) override {
    Service service = HbmCtrl::serve(write, address, bytes, ready, transaction);
    service.end += SimTime::from_ps(1);
    return service;
  }
};

TEST(AccessAlone, EqualsItsClosedForm) {
  expect_holds(equals_closed_form);
}

TEST(AccessAlone, OnePicosecondMoreThanTheClosedFormIsNoticed) {
  expect_noticed(equals_closed_form, with_hbm<LateHbm>());
}

}  // namespace
}  // namespace kernbench::model::properties
