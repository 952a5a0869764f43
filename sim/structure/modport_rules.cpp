// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "sim/structure/rules.hpp"

namespace kernbench::sim::structure {
namespace {

const char* text(Direction direction) {
  switch (direction) {
    case Direction::Input:
      return "an input";
    case Direction::Output:
      return "an output";
    default:
      return "an inout";
  }
}

/// Returns the direction of a signal in modport slv, which is TOPO's, or in mst.
Direction contract(bool slv, bool outgoing, Field field) {
  const bool node_drives = outgoing != (field == Field::Rdy);
  return node_drives == slv ? Direction::Input : Direction::Output;
}

void check_modport(const FabricView& fabric, const Modport& modport,
                   std::vector<Finding>& findings) {
  const Design& design = fabric.netlist().design();
  for (const char axis : {'x', 'y'}) {
    for (const bool outgoing : {true, false}) {
      for (std::size_t f = 0; f < kFields; ++f) {
        const auto field = static_cast<Field>(f);
        const std::string name =
            fmt::format("{}{}_{}", axis, outgoing ? 'o' : 'i', field_name(field));
        const Direction expected = contract(modport.name == "slv", outgoing, field);
        const auto found = modport.signals.find(name);
        if (found == modport.signals.end()) {
          findings.push_back({Rule::Modport, design.at(modport.place),
                              fmt::format("modport {} lacks {}, expected {}", modport.name, name,
                                          text(expected))});
        } else if (found->second.first != expected) {
          findings.push_back(
              {Rule::Modport, design.at(found->second.second),
               fmt::format("{} is {} of modport {}, expected {}", name, text(found->second.first),
                           modport.name, text(expected))});
        }
      }
    }
  }
}

}  // namespace

void check_modports(const FabricView& fabric, std::vector<Finding>& findings) {
  if (!fabric.topo() || fabric.nodes().empty()) return;
  const Netlist& netlist = fabric.netlist();
  const Module& interface = *netlist.placed()[fabric.nodes().front()].module;
  bool has_slv = false;
  for (const Modport& modport : interface.modports) {
    has_slv = has_slv || modport.name == "slv";
    if (modport.name == "slv" || modport.name == "mst") check_modport(fabric, modport, findings);
  }
  if (!has_slv) {
    findings.push_back({Rule::Modport, netlist.design().at(interface.place),
                        interface.orig + " has no modport slv"});
  }
  const Module& topo = *netlist.placed()[*fabric.topo()].module;
  const Variable* port = topo.variable("node_if");
  if (port != nullptr && port->type.modport != "slv") {
    findings.push_back(
        {Rule::Modport, netlist.design().at(port->place),
         fmt::format("node_if of TOPO has {}, expected modport slv",
                     port->type.modport.empty() ? "no modport" : "modport " + port->type.modport)});
  }
}

void check_content(const FabricView& fabric, std::vector<Finding>& findings) {
  if (!fabric.topo()) return;
  const Netlist& netlist = fabric.netlist();
  const Design& design = netlist.design();
  const auto& placed = netlist.placed();
  // A module inside TOPO may group links, but has to hold some.
  std::vector<bool> holds_links(placed.size());
  for (const std::size_t link : fabric.instances()) {
    for (std::size_t at = link; at != *fabric.topo(); at = placed[at].parent)
      holds_links[at] = true;
  }
  for (std::size_t i = 0; i < placed.size(); ++i) {
    const Placed& one = placed[i];
    if (!fabric.inside_topo(i) || one.module->interface || one.opaque) continue;
    if (i != *fabric.topo() && !holds_links[i]) {
      findings.push_back(
          {Rule::Content, design.at(one.instance->place),
           fmt::format("TOPO instantiates {}, expected IRS_N and nothing else", one.module->orig)});
    }
    for (const ProcessLogic& process : one.logic->processes) {
      if (process.edges.empty() || process.kind == ProcessKind::Initial) continue;
      findings.push_back(
          {Rule::Content, design.at(process.place), "a register in TOPO outside of its IRS_N"});
    }
  }
}

}  // namespace kernbench::sim::structure
