// SPDX-License-Identifier: Apache-2.0
#include "sim/structure/failed_node.hpp"

#include <fmt/format.h>

#include <utility>

namespace kernbench::sim::structure {

FailedNode::FailedNode(const Netlist& netlist, std::size_t array, const maze::Shape& shape)
    : netlist_(netlist), array_(array) {
  const Module& module = *netlist.placed()[array].module;
  const Variable* enable = module.variable("pg_en");
  const Variable* node = module.variable("pg_node");
  const unsigned nodes = unsigned{shape.nx} * shape.ny;
  values_.resize(nodes + 1U);
  if (enable == nullptr || node == nullptr) return;
  values_[0] = interpret_with({{enable->base, BitValue::zero()}});
  for (unsigned n = 0; n < nodes; ++n) {
    Values known = {{enable->base, BitValue::one()}};
    const unsigned address = n / shape.nx << shape.x_addr_bits() | n % shape.nx;
    for (unsigned bit = 0; bit < node->type.bits(); ++bit) {
      known.emplace(node->base + bit, BitValue::constant((address >> bit & 1U) != 0));
    }
    values_[n + 1U] = interpret_with(std::move(known));
  }
}

/// Interprets the array until nothing new is constant.
FailedNode::Values FailedNode::interpret_with(Values known) const {
  const Module& module = *netlist_.placed()[array_].module;
  for (;;) {
    const ModuleLogic logic = interpret(netlist_.design(), module, known);
    const std::size_t before = known.size();
    Values found;
    for (const ProcessLogic& process : logic.processes) {
      if (process.kind == ProcessKind::Initial || !process.edges.empty()) continue;
      for (const Target& target : process.targets) {
        found.emplace(target.bit, target.value);
        // Numbers of signals of interfaces may differ from one interpretation to the next.
        if (target.bit < module.bits && target.value.is_constant()) {
          known.emplace(target.bit, target.value);
        }
      }
    }
    if (known.size() != before) continue;
    Values all;
    for (auto& [bit, value] : found) {
      const auto constant = known.find(bit);
      if (constant != known.end()) value = constant->second;
      if (value.kind == BitValue::Kind::Copy) value.source = in_netlist(logic, value.source);
      all.emplace(in_netlist(logic, bit), std::move(value));
    }
    return all;
  }
}

/// Returns the bit of the netlist for a bit of an interpretation of the array.
BitId FailedNode::in_netlist(const ModuleLogic& logic, BitId bit) const {
  const Placed& array = netlist_.placed()[array_];
  if (bit < array.module->bits) return netlist_.global(array_, bit);
  for (const InterfaceSignal& signal : logic.interface_signals) {
    if (bit < signal.base || bit >= signal.base + signal.bits) continue;
    for (const InterfaceSignal& same : array.logic->interface_signals) {
      if (same.prefix == signal.prefix && same.name == signal.name) {
        return netlist_.global(array_, same.base + (bit - signal.base));
      }
    }
  }
  return netlist_.global(array_, array.module->bits);
}

BitValue FailedNode::value(const Origin& from, std::size_t failed) const {
  const auto found = values_[failed].find(from.bit);
  if (found != values_[failed].end()) {
    BitValue value = found->second;
    if (from.inverted) value = bit_not(value);
    return value;
  }
  if (from.kind == Origin::Kind::Constant) return BitValue::constant(from.one != from.inverted);
  if (from.kind != Origin::Kind::Bit) return function_of(0, {});
  BitValue value = BitValue::copy(from.bit);
  value.inverted = from.inverted;
  return value;
}

std::string FailedNode::text(std::size_t failed) {
  return failed == 0 ? "while no node has failed"
                     : fmt::format("while node {} has failed", failed - 1);
}

}  // namespace kernbench::sim::structure
