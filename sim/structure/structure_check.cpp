// SPDX-License-Identifier: Apache-2.0
#include "sim/structure/structure_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
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

/// Modules inside which the rules about the wiring of nodes do not look.
bool is_part_of_network(const Module& module) {
  return is_irs(module) || module.orig == "MAZE_CORE" || module.orig == "MAZE_CLOCK_GATE";
}

/// Returns the first of the modules that the rules about the wiring of nodes know and that the
/// design lacks; empty when it has all. A module of another party with the same name has other
/// ports.
std::string missing_module(const Netlist& netlist) {
  struct Known {
    const char* name;
    const char* port;
  };
  constexpr std::array<Known, 3> kModules = {
      {{"MAZE_ARRAY", "pg_node"}, {"MAZE_CORE", "payload_i"}, {"MAZE_CLOCK_GATE", "en_i"}}};
  for (const Known& known : kModules) {
    const bool has =
        std::any_of(netlist.placed().begin(), netlist.placed().end(), [&](const Placed& one) {
          return one.module->orig == known.name && one.module->variable(known.port) != nullptr;
        });
    if (!has) return known.name;
  }
  return {};
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
std::map<const Module*, std::optional<unsigned>> kinds_of_irs(const Netlist& netlist) {
  std::map<const Module*, std::optional<unsigned>> kinds;
  for (const Placed& placed : netlist.placed()) {
    const Module* module = placed.module;
    if (!is_irs(*module)) continue;
    const auto depth = module->parameters.find("IRS_DEEP");
    kinds.emplace(module, depth == module->parameters.end()
                              ? std::nullopt
                              : std::optional(static_cast<unsigned>(depth->second)));
  }
  return kinds;
}

/// Checks that the signals of a module by itself have one driver each, and that no loop or latch is
/// there.
void check_module(const Netlist& netlist, CheckResult& result) {
  result.bits += netlist.bits();
  const auto in_scope = [&](std::size_t placed) { return !netlist.placed()[placed].opaque; };
  const auto external = [&](BitId bit) {
    const Variable* variable = netlist.owner(bit) == 0 ? netlist.variable(bit) : nullptr;
    return variable != nullptr && variable->direction == Direction::Input;
  };
  check_drivers(netlist, in_scope, external, result.findings);
  check_logic(netlist, in_scope, result.findings, result.findings);
}

/// Checks one IRS_N by itself.
void check_irs(ModuleLogics& logics, const Module& module, std::optional<unsigned> depth,
               CheckResult& result) {
  const Netlist netlist(logics, module, [](const Module&) { return false; });
  check_module(netlist, result);
  check_stages(netlist, depth, result.findings, result.notes);
}

/// Checks the inside of each kind of MAZE_CORE by itself, its IRS_N apart.
void check_cores(ModuleLogics& logics, const Netlist& all, CheckResult& result) {
  std::set<const Module*> cores;
  for (const Placed& placed : all.placed()) {
    if (placed.module->orig != "MAZE_CORE" || !cores.insert(placed.module).second) continue;
    check_module(Netlist(logics, *placed.module, is_irs), result);
  }
}

/// Checks the TOPO of a design, and every IRS_N of `all`, the design with IRS_N alone as black
/// boxes.
void check_topo(ModuleLogics& logics, const FabricView& fabric, const Netlist& all,
                CheckResult& result) {
  const Netlist& netlist = fabric.netlist();
  result.findings = fabric.findings();
  result.links = static_cast<unsigned>(fabric.instances().size());
  result.bits = netlist.bits();
  check_links(fabric, result.findings);
  check_modports(fabric, result.findings);
  check_content(fabric, result.findings);
  check_packet_types(netlist.design(), result.findings);
  for (const auto& [module, depth] : kinds_of_irs(all)) {
    check_irs(logics, *module, depth, result);
  }
}

/// Checks that the signals of the chosen instances have one driver each, and that no loop is there.
/// Latches go to `latches`.
void check_signals(const Netlist& netlist, const std::vector<bool>& chosen, CheckResult& result,
                   std::vector<Finding>& latches) {
  const auto in_scope = [&](std::size_t placed) { return bool{chosen[placed]}; };
  check_drivers(
      netlist, in_scope, [](BitId) { return false; }, result.findings);
  check_logic(netlist, in_scope, result.findings, latches);
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
  check_topo(logics, fabric, netlist, result);
  std::vector<bool> chosen(netlist.placed().size());
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    chosen[i] = (fabric.inside_topo(i) && !netlist.placed()[i].opaque) ||
                std::find(fabric.nodes().begin(), fabric.nodes().end(), i) != fabric.nodes().end();
  }
  check_signals(netlist, chosen, result, result.findings);
  check_tools(design, path, result.findings, result.notes);
  arrange(result.findings);
  arrange(result.notes);
  return result;
}

CheckResult check_network_structure(const std::string& path, const maze::Shape& shape) {
  const Design design(read_dump(path));
  CheckResult result;
  ModuleLogics logics(design);
  const Netlist all(logics, design.top(), is_irs);
  const std::string missing = missing_module(all);
  std::optional<Netlist> without_cores;
  if (missing.empty()) without_cores.emplace(logics, design.top(), is_part_of_network);
  const Netlist& netlist = without_cores ? *without_cores : all;
  const FabricView fabric(netlist, shape);
  check_topo(logics, fabric, all, result);
  // All below the top, which is the bench.
  std::vector<bool> chosen(netlist.placed().size());
  for (std::size_t i = 1; i < chosen.size(); ++i) chosen[i] = !netlist.placed()[i].opaque;
  // Nodes of other names may have clock gates of their own, which are latches.
  check_signals(netlist, chosen, result, missing.empty() ? result.findings : result.notes);
  check_data(all, shape, result.findings);
  if (!missing.empty()) {
    result.notes.push_back({Rule::Content, design.at(design.top().place),
                            fmt::format("no {} with the ports of the repository's: the wiring of "
                                        "the nodes is not checked, the traffic judges it",
                                        missing)});
  } else {
    if (fabric.topo()) result.nodes = check_nodes(fabric, result.findings);
    check_cores(logics, all, result);
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      chosen[i] = chosen[i] && !fabric.inside_topo(i);
    }
    check_no_registers(netlist, chosen, result.findings);
  }
  check_tools(design, path, result.findings, result.notes);
  arrange(result.findings);
  arrange(result.notes);
  return result;
}

CheckResult check_noc_structure(const std::string& path, const noc::Network& network) {
  const Design design(read_dump(path));
  CheckResult result;
  ModuleLogics logics(design);
  const auto is_node = [](const Module& module) { return module.orig == "NOC_NODE"; };
  const Netlist netlist(logics, design.top(), is_node);
  result.bits = netlist.bits();
  result.nodes = check_noc_nodes(netlist, network, result.findings);
  if (result.nodes != 0) result.links = static_cast<unsigned>(network.channels().size());
  // All below the top, which is the bench.
  std::vector<bool> chosen(netlist.placed().size());
  for (std::size_t i = 1; i < chosen.size(); ++i) chosen[i] = !netlist.placed()[i].opaque;
  check_signals(netlist, chosen, result, result.findings);
  check_no_registers(netlist, chosen, result.findings);
  std::set<const Module*> kinds;
  for (const Placed& placed : netlist.placed()) {
    if (!is_node(*placed.module) || !kinds.insert(placed.module).second) continue;
    check_module(Netlist(logics, *placed.module, [](const Module&) { return false; }), result);
  }
  check_tools(design, path, result.findings, result.notes);
  arrange(result.findings);
  arrange(result.notes);
  return result;
}

}  // namespace kernbench::sim::structure
