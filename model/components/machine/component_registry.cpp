// SPDX-License-Identifier: Apache-2.0
#include "model/components/machine/component_registry.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <vector>

#include "model/components/machine/component.hpp"

namespace kernbench::model::components {

using topology::NodeKind;

std::string_view component_name(NodeKind kind) {
  switch (kind) {
    case NodeKind::Switch:
    case NodeKind::IoNoc:
    case NodeKind::IoUcie:
    case NodeKind::IoConn:
    case NodeKind::Router:
    case NodeKind::UciePhy:
    case NodeKind::UcieConn:
    case NodeKind::Maze:
    case NodeKind::NocPort:
    case NodeKind::Noc:
      return "forwarding";
    default:
      return topology::name(kind);
  }
}

std::unique_ptr<Component> ComponentRegistry::make(std::string_view name, Machine& machine,
                                                   topology::NodeId node) const {
  const auto found = factories_.find(name);
  if (found == factories_.end()) {
    throw std::invalid_argument(
        fmt::format("unknown component '{}'; known are {}", name, fmt::join(names(), ", ")));
  }
  return found->second(machine, node);
}

std::vector<std::string_view> ComponentRegistry::names() const {
  std::vector<std::string_view> names;
  for (const auto& [name, factory] : factories_) names.push_back(name);
  return names;
}

}  // namespace kernbench::model::components
