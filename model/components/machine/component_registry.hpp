#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "topology/graph/topology_graph.hpp"

namespace kernbench::model::components {

class Component;
class Machine;

/// The name of the component that stands for a kind of node: routers, connections, PHYs, NOCs and
/// switches are all "forwarding"; everything else has the name of its kind.
[[nodiscard]] std::string_view component_name(topology::NodeKind kind);

/// Makes components by name.
class ComponentRegistry {
 public:
  using Factory = std::function<std::unique_ptr<Component>(Machine&, topology::NodeId)>;

  /// Replaces what had the name.
  void add(std::string name, Factory factory) {
    factories_.insert_or_assign(std::move(name), std::move(factory));
  }
  /// Throws std::invalid_argument, listing the names there are, for an unknown one.
  [[nodiscard]] std::unique_ptr<Component> make(std::string_view name, Machine& machine,
                                                topology::NodeId node) const;

 private:
  std::map<std::string, Factory, std::less<>> factories_;
};

/// All components of this folder. To try another model of one, copy this and add() to the copy.
[[nodiscard]] const ComponentRegistry& standard_components();

}  // namespace kernbench::model::components
