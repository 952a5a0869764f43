// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/form_reader.hpp"
#include "maze/link_frame.hpp"
#include "sim/regression/fault_case.hpp"
#include "sim/trace/link_trace.hpp"

namespace kernbench::sim {

/// The ports at which faults are injected: those of links and, in a network, of users.
struct FaultPorts {
  maze::Shape shape;
  bool users = false;
};

/// Returns the number of a port with this name, or nothing.
inline std::optional<unsigned> find_port(std::string_view name, const FaultPorts& ports) {
  for (unsigned port = 0; port < ports.shape.ports(); ++port) {
    if (name == trace_port_name(port, ports.shape)) return port;
  }
  if (ports.users && name == "user") return ports.shape.ports();
  return std::nullopt;
}

/// Checks the faults of the suite at `path` ("suites[1]") of a file, and sets their links. Refuses
/// expectations of checkers that the suite does not attach: they would never be tested.
template <class File>
void check_faults(common::Input<File>& file, const std::string& path,
                  std::vector<FaultCase>& faults, const Checks& checks, const FaultPorts& ports) {
  const auto check_attached = [&](const std::vector<std::string>& names, const std::string& key) {
    for (std::size_t i = 0; i < names.size(); ++i) {
      for (const auto& [name, flag] : kCheckers) {
        if (name != names[i] || checks.*flag) continue;
        file.error(fmt::format("{}[{}]", key, i), fmt::format("the suite does not attach {}", name),
                   "name it under the suite's checks");
      }
    }
  };
  for (std::size_t i = 0; i < faults.size(); ++i) {
    FaultCase& one = faults[i];
    const std::string at = fmt::format("{}.faults[{}].", path, i);
    if (one.link) {
      file.check_within(at + "link.node", one.link->node, 0, ports.shape.nodes() - 1);
      const auto port = find_port(one.link->port, ports);
      if (!port && file.places().sound({at + "link.port"})) {
        file.error(at + "link.port", fmt::format("'{}' is not a port of a node", one.link->port),
                   fmt::format("x[0] to x[{}]{} y[0] to y[{}]{}", ports.shape.x_ports() - 1,
                               ports.users ? "," : " or", ports.shape.y_ports() - 1,
                               ports.users ? ", or user" : ""));
      }
      one.fault.link = LinkEnd{one.link->node, port.value_or(0)};
      if (ports.users && port && *port != ports.shape.ports() && !changes_outputs(one.fault.kind)) {
        file.error(at + "kind",
                   fmt::format("{} acts on users, not on a link between nodes",
                               fault_name(one.fault.kind)),
                   "port: user");
      }
    }
    check_attached(one.caught_by, at + "caught_by");
    check_attached(one.missed_by, at + "missed_by");
  }
}

}  // namespace kernbench::sim
