// SPDX-License-Identifier: Apache-2.0
#include "sim/structure/trace.hpp"

#include <fmt/format.h>

namespace kernbench::sim::structure {
namespace {

constexpr int kMostSteps = 100'000;  // a ring of wires has no origin

}  // namespace

Origin trace_back(const Netlist& netlist, BitId bit, const std::function<bool(BitId)>& stop) {
  Origin origin;
  Place inverter;
  for (int step = 0; step < kMostSteps; ++step) {
    origin.bit = bit;
    if (stop(bit)) {
      origin.kind = Origin::Kind::Bit;
      if (inverter.line != 0) origin.place = inverter;
      return origin;
    }
    const std::vector<const Driver*> drivers = netlist.drivers(bit);
    if (drivers.size() != 1) {
      origin.kind = !drivers.empty()                 ? Origin::Kind::Several
                    : netlist.has_initial_value(bit) ? Origin::Kind::Constant
                                                     : Origin::Kind::Nothing;
      if (!drivers.empty()) origin.place = drivers.front()->place;
      return origin;
    }
    const Driver& driver = *drivers.front();
    origin.place = driver.place;
    if (driver.process != nullptr && !driver.process->edges.empty()) {
      origin.kind = Origin::Kind::Register;
      return origin;
    }
    const BitValue* value = driver.target != nullptr ? &driver.target->value : driver.value;
    if (value == nullptr) {
      bit = driver.output;
      continue;
    }
    if (value->kind != BitValue::Kind::Copy) {
      origin.kind = value->depends_on_nothing() ? Origin::Kind::Constant : Origin::Kind::Function;
      origin.one = value->kind == BitValue::Kind::One;
      return origin;
    }
    if (value->inverted) {
      origin.inverted = !origin.inverted;
      inverter = driver.place;
    }
    bit = netlist.global(driver.placed, value->source);
  }
  return origin;
}

std::string describe(const Netlist& netlist, const Origin& origin) {
  const std::string at = fmt::format(" ({})", netlist.design().at(origin.place));
  switch (origin.kind) {
    case Origin::Kind::Bit:
      return (origin.inverted ? "the inverse of " : "") + netlist.short_name(origin.bit);
    case Origin::Kind::Nothing:
      return "nothing";
    case Origin::Kind::Several:
      return "several drivers" + at;
    case Origin::Kind::Constant:
      return "a constant";
    case Origin::Kind::Function:
      return "logic" + at;
    case Origin::Kind::Register:
      return "a register" + at;
  }
  return {};
}

}  // namespace kernbench::sim::structure
