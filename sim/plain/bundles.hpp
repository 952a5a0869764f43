// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "sim/structure/design.hpp"

namespace kernbench::sim::plain {

/// An interface, or an array of them, that a module declares or has as a port.
struct Bundle {
  const structure::Module* interface = nullptr;
  std::string name;       ///< with the generate blocks around it
  unsigned count = 1;     ///< elements of the array
  bool is_array = false;  ///< also an array of one element
  int first = 0;          ///< lowest index
  bool is_port = false;
  std::string modport;  ///< a port's
};

/// The bundles of a module by name.
using Bundles = std::map<std::string, Bundle>;

/// One element of a bundle, or all of it.
struct Part {
  const Bundle* bundle = nullptr;
  std::optional<unsigned> position;  ///< the element's; std::nullopt: all
};

/// Returns what a name such as "links[3]" or "g_y[0].a" stands for in a module. Throws
/// structure::NotUnderstood if nothing has the name.
[[nodiscard]] Part part_named(const Bundles& bundles, const std::string& name);

/// Returns what the value of a connection of an interface stands for.
[[nodiscard]] Part part_of(const structure::Design& design, const Bundles& bundles,
                           const structure::Node& value);

/// Returns the signals of an interface in the order of their declarations.
[[nodiscard]] std::vector<const structure::Variable*> signals_of(
    const structure::Module& interface);

/// Returns the bundles of `root` and of all modules below it. Throws structure::NotUnderstood for
/// what a vector cannot stand for.
[[nodiscard]] std::unordered_map<const structure::Module*, Bundles> find_bundles(
    const structure::Design& design, const structure::Module& root);

}  // namespace kernbench::sim::plain
