// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "common/api.hpp"
#include "topology/graph/topology_graph.hpp"

namespace kernbench::model::components {

class Component;
class Machine;

/// Returns the name of the component that models a kind of node: "forwarding" for routers,
/// connections, PHYs, NOCs and switches, otherwise the name of the kind.
[[nodiscard]] KERNBENCH_API std::string_view component_name(topology::NodeKind kind);

/// Creates components by name.
class ComponentRegistry {
 public:
  using Factory = std::function<std::unique_ptr<Component>(Machine&, topology::NodeId)>;

  /// Adds a factory. Replaces an earlier one of the same name.
  void add(std::string name, Factory factory) {
    factories_.insert_or_assign(std::move(name), std::move(factory));
  }
  /// Creates the component `name` for a node. Throws std::invalid_argument, listing the known
  /// names, for an unknown one.
  [[nodiscard]] std::unique_ptr<Component> make(std::string_view name, Machine& machine,
                                                topology::NodeId node) const;
  /// Returns the names, sorted.
  [[nodiscard]] std::vector<std::string_view> names() const;

 private:
  std::map<std::string, Factory, std::less<>> factories_;
};

}  // namespace kernbench::model::components
