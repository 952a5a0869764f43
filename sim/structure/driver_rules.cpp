// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "sim/structure/rules.hpp"

namespace kernbench::sim::structure {
namespace {

/// Collects findings about bits and reports one for all bits of a variable with the same places.
class BitFindings {
 public:
  BitFindings(const Netlist& netlist, std::vector<Finding>& findings)
      : netlist_(netlist), findings_(findings) {}

  void add(Rule rule, const Place& place, BitId bit, const std::string& what) {
    const auto key = std::tuple{netlist_.owner(bit), netlist_.variable(bit), what};
    Entry& entry = entries_[key];
    if (entry.bits++ == 0) {
      entry.first = order_++;
      entry.finding = {rule, netlist_.design().at(place), netlist_.name(bit) + what};
    }
  }

  void report() {
    std::map<unsigned, const Entry*> in_order;
    for (const auto& [key, entry] : entries_) in_order.emplace(entry.first, &entry);
    for (const auto& [number, entry] : in_order) {
      Finding finding = entry->finding;
      if (entry->bits > 1) finding.message += fmt::format(" (and {} more bits)", entry->bits - 1);
      findings_.push_back(std::move(finding));
    }
  }

 private:
  struct Entry {
    unsigned bits = 0;
    unsigned first = 0;
    Finding finding;
  };
  const Netlist& netlist_;
  std::vector<Finding>& findings_;
  std::map<std::tuple<std::size_t, const Variable*, std::string>, Entry> entries_;
  unsigned order_ = 0;
};

/// Returns the bits that some driver or clock reads.
std::vector<bool> read_bits(const Netlist& netlist) {
  std::vector<bool> read(netlist.bits());
  for (BitId bit = 0; bit < netlist.bits(); ++bit) {
    if (netlist.global_alias(bit) != bit) continue;
    for (const Driver* driver : netlist.drivers(bit)) {
      for (const BitId input : netlist.inputs(*driver)) read[input] = true;
      if (driver->process == nullptr) continue;
      for (const EdgeItem& edge : driver->process->edges) {
        for (const BitId input : netlist.inputs(edge.signal, driver->placed)) read[input] = true;
      }
    }
  }
  return read;
}

/// Returns drivers that are one: a process that assigns a bit twice, or one pin.
std::vector<const Driver*> distinct(const std::vector<const Driver*>& drivers) {
  std::vector<const Driver*> result;
  std::set<std::pair<std::size_t, const ProcessLogic*>> processes;
  for (const Driver* driver : drivers) {
    if (driver->process == nullptr || processes.emplace(driver->placed, driver->process).second) {
      result.push_back(driver);
    }
  }
  return result;
}

}  // namespace

void check_drivers(const Netlist& netlist, const std::function<bool(std::size_t)>& in_scope,
                   const std::function<bool(BitId)>& external, std::vector<Finding>& findings) {
  const std::vector<bool> read = read_bits(netlist);
  BitFindings report(netlist, findings);
  for (BitId bit = 0; bit < netlist.bits(); ++bit) {
    if (netlist.global_alias(bit) != bit || !in_scope(netlist.owner(bit))) continue;
    const Variable* variable = netlist.variable(bit);
    if (variable == nullptr || variable->transient) continue;
    const std::vector<const Driver*> drivers = distinct(netlist.drivers(bit));
    const std::size_t count = drivers.size() + (external(bit) ? 1 : 0);
    if (count > 1) {
      const Place& place = drivers.back()->place;
      std::string others;
      for (std::size_t i = 0; i + 1 < drivers.size(); ++i) {
        others += (others.empty() ? "; it is also driven at " : " and ") +
                  netlist.design().at(drivers[i]->place);
      }
      report.add(Rule::Driver, place, bit, fmt::format(" has {} drivers{}", count, others));
    } else if (count == 0 && read[bit] && !netlist.has_initial_value(bit)) {
      report.add(Rule::Driver, variable->place, bit, " has no driver");
    }
  }
  report.report();
}

void check_logic(const Netlist& netlist, const std::function<bool(std::size_t)>& in_scope,
                 std::vector<Finding>& findings, std::vector<Finding>& latches) {
  for (const std::string& problem : netlist.problems()) {
    const auto split = problem.find(": ");
    findings.push_back({Rule::Unknown, problem.substr(0, split),
                        "the structure check does not understand " + problem.substr(split + 2)});
  }
  BitFindings loops(netlist, findings);
  BitFindings stored(netlist, latches);
  for (BitId bit = 0; bit < netlist.bits(); ++bit) {
    for (const Driver* driver : netlist.drivers(bit)) {
      if (driver->process == nullptr || !driver->process->edges.empty()) continue;
      if (!in_scope(driver->placed) || netlist.global_alias(bit) != bit) continue;
      const std::vector<BitId> inputs = netlist.inputs(*driver);
      if (std::find(inputs.begin(), inputs.end(), bit) == inputs.end()) continue;
      if (driver->process->kind == ProcessKind::Assign) {
        loops.add(Rule::Latch, driver->place, bit, " depends on itself");
      } else {
        stored.add(Rule::Latch, driver->place, bit, " is a latch");
      }
    }
  }
  loops.report();
  stored.report();
}

}  // namespace kernbench::sim::structure
