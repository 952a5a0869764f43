// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "common/form_reader.hpp"
#include "sim/regression/checker_table.hpp"
#include "sim/regression/fault_case.hpp"

namespace kernbench::sim {

/// Refuses expectations, of a fault of the file at the path `key`, of checkers that its suite does
/// not attach: they would never be tested.
template <class File, class Checks, std::size_t N>
void check_attached(common::Input<File>& file, const std::string& key,
                    const std::vector<std::string>& names, const CheckerTable<Checks, N>& table,
                    const Checks& checks) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    for (const auto& [name, flag] : table) {
      if (name != names[i] || checks.*flag) continue;
      file.error(fmt::format("{}[{}]", key, i), fmt::format("the suite does not attach {}", name),
                 "name it under the suite's checks");
    }
  }
}

/// Checks the faults of the suite at `path` ("suites[1]") of a file, and sets their links.
template <class File>
void check_faults(common::Input<File>& file, const std::string& path,
                  std::vector<FaultCase>& faults, const Checks& checks, const DevicePorts& ports) {
  for (std::size_t i = 0; i < faults.size(); ++i) {
    FaultCase& one = faults[i];
    const std::string at = fmt::format("{}.faults[{}].", path, i);
    if (one.link) {
      const auto port = check_link(file, at + "link", *one.link, ports);
      one.fault.link = LinkEnd{one.link->node, port.value_or(0)};
      if (ports.users && port && *port != ports.shape.ports() && !changes_outputs(one.fault.kind)) {
        file.error(at + "kind",
                   fmt::format("{} acts on users, not on a link between nodes",
                               fault_name(one.fault.kind)),
                   "port: user");
      }
    }
    check_attached(file, at + "caught_by", one.caught_by, kCheckers, checks);
    check_attached(file, at + "missed_by", one.missed_by, kCheckers, checks);
  }
}

}  // namespace kernbench::sim
