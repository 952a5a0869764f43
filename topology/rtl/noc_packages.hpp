// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "topology/rtl/noc_plan.hpp"

namespace kernbench::topology {

/// Version of a generated network in the files of package managers: that of its contract
/// (docs/noc.md).
inline constexpr const char* kNocVersion = "1.0.0";

/// A port of the generated top.
struct NocPort {
  std::string name;
  bool input = true;
  std::uint32_t width = 1;
  bool by_node = true;  ///< an array with an element for each node
  std::string meaning;
};

/// Returns the ports of the top, in their order.
[[nodiscard]] std::vector<NocPort> noc_ports(const NocPlan& plan);

// `files` are the names of the sources, packages first.

/// Returns the package of Bender.
[[nodiscard]] std::string noc_bender(const NocPlan& plan, const std::vector<std::string>& files);
/// Returns the core of FuseSoC.
[[nodiscard]] std::string noc_fusesoc(const NocPlan& plan, const std::vector<std::string>& files);
/// Returns the component of IP-XACT (IEEE 1685-2022).
[[nodiscard]] std::string noc_ipxact(const NocPlan& plan, const std::vector<std::string>& files);
/// Returns the page of a network in Markdown: its picture, sizes, ports and nodes.
[[nodiscard]] std::string noc_page(const NocPlan& plan, const std::vector<std::string>& files);

}  // namespace kernbench::topology
