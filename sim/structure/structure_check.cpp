// SPDX-License-Identifier: Apache-2.0
#include "sim/structure/structure_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "sim/structure/design.hpp"
#include "sim/structure/fabric_view.hpp"
#include "sim/structure/rules.hpp"

namespace kernbench::sim::structure {
namespace {

bool is_irs(const Module& module) {
  return module.orig == "IRS_N";
}

bool is_part_of_network(const Module& module) {
  return is_irs(module) || module.orig == "MAZE_CORE" || module.orig == "MAZE_CLOCK_GATE";
}

/// Orders by file and line, and removes repetitions.
void arrange(std::vector<Finding>& findings) {
  const auto key = [](const Finding& finding) {
    const auto colon = finding.where.rfind(':');
    return std::tuple{finding.where.substr(0, colon),
                      std::stoul(fmt::format("0{}", finding.where.substr(colon + 1))),
                      finding.message};
  };
  std::stable_sort(findings.begin(), findings.end(),
                   [&](const Finding& a, const Finding& b) { return key(a) < key(b); });
  findings.erase(std::unique(findings.begin(), findings.end()), findings.end());
}

/// Returns each IRS_N of the design, once for each set of parameters, and its number of stages.
std::map<const Module*, std::optional<unsigned>> kinds_of_irs(const FabricView& fabric) {
  std::map<const Module*, std::optional<unsigned>> kinds;
  for (const std::size_t placed : fabric.instances()) {
    const Module* module = fabric.netlist().placed()[placed].module;
    const auto depth = module->parameters.find("IRS_DEEP");
    kinds.emplace(module, depth == module->parameters.end()
                              ? std::nullopt
                              : std::optional(static_cast<unsigned>(depth->second)));
  }
  return kinds;
}

/// Checks one IRS_N by itself.
void check_irs(ModuleLogics& logics, const Module& module, std::optional<unsigned> depth,
               CheckResult& result) {
  const Netlist netlist(logics, module, [](const Module&) { return false; });
  result.bits += netlist.bits();
  const auto everywhere = [](std::size_t) { return true; };
  const auto external = [&](BitId bit) {
    const Variable* variable = netlist.owner(bit) == 0 ? netlist.variable(bit) : nullptr;
    return variable != nullptr && variable->direction == Direction::Input;
  };
  check_drivers(netlist, everywhere, external, result.findings);
  check_logic(netlist, everywhere, result.findings);
  check_stages(netlist, depth, result.findings, result.notes);
}

/// Checks the TOPO of a design.
void check_topo(ModuleLogics& logics, const FabricView& fabric, CheckResult& result) {
  const Netlist& netlist = fabric.netlist();
  result.findings = fabric.findings();
  result.links = static_cast<unsigned>(fabric.instances().size());
  result.bits = netlist.bits();
  check_links(fabric, result.findings);
  check_modports(fabric, result.findings);
  check_content(fabric, result.findings);
  check_packet_types(netlist.design(), result.findings);
  for (const auto& [module, depth] : kinds_of_irs(fabric)) {
    check_irs(logics, *module, depth, result);
  }
}

/// Checks that the signals of the chosen instances have one driver each, and that no latch is
/// there.
void check_signals(const Netlist& netlist, const std::vector<bool>& chosen, CheckResult& result) {
  const auto in_scope = [&](std::size_t placed) { return bool{chosen[placed]}; };
  check_drivers(
      netlist, in_scope, [](BitId) { return false; }, result.findings);
  check_logic(netlist, in_scope, result.findings);
}

/// Appends a finding for every register of the chosen instances.
void check_no_registers(const Netlist& netlist, const std::vector<bool>& chosen,
                        std::vector<Finding>& findings) {
  for (std::size_t i = 0; i < netlist.placed().size(); ++i) {
    const Placed& one = netlist.placed()[i];
    if (!chosen[i] || one.logic == nullptr) continue;
    for (const ProcessLogic& process : one.logic->processes) {
      if (process.edges.empty() || process.targets.empty()) continue;
      findings.push_back(
          {Rule::Content, netlist.design().at(process.place),
           fmt::format("a register in {}, expected wires and logic alone", one.module->orig)});
    }
  }
}

}  // namespace

CheckResult check_structure(const std::string& path, const maze::Shape& shape) {
  const Design design(read_dump(path));
  CheckResult result;
  ModuleLogics logics(design);
  const Netlist netlist(logics, design.top(), is_irs);
  const FabricView fabric(netlist, shape);
  check_topo(logics, fabric, result);
  std::vector<bool> chosen(netlist.placed().size());
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    chosen[i] = (fabric.inside_topo(i) && !netlist.placed()[i].opaque) ||
                std::find(fabric.nodes().begin(), fabric.nodes().end(), i) != fabric.nodes().end();
  }
  check_signals(netlist, chosen, result);
  check_tools(design, path, result.findings, result.notes);
  arrange(result.findings);
  arrange(result.notes);
  return result;
}

CheckResult check_network_structure(const std::string& path, const maze::Shape& shape) {
  const Design design(read_dump(path));
  CheckResult result;
  ModuleLogics logics(design);
  const Netlist netlist(logics, design.top(), is_part_of_network);
  const FabricView fabric(netlist, shape);
  check_topo(logics, fabric, result);
  if (fabric.topo()) result.nodes = check_nodes(fabric, result.findings);
  // All below the top, which is the bench.
  std::vector<bool> chosen(netlist.placed().size());
  for (std::size_t i = 1; i < chosen.size(); ++i) chosen[i] = !netlist.placed()[i].opaque;
  check_signals(netlist, chosen, result);
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    chosen[i] = chosen[i] && !fabric.inside_topo(i);
  }
  check_no_registers(netlist, chosen, result.findings);
  check_tools(design, path, result.findings, result.notes);
  arrange(result.findings);
  arrange(result.notes);
  return result;
}

}  // namespace kernbench::sim::structure
