// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "topology/resolve/resolve_topology.hpp"

namespace kernbench::python {

using Settings = std::map<std::string, std::string>;

/// A topology that was compiled from its file. Runs that last share it.
class Topology {
 public:
  Topology(std::string file, const Settings& settings);

  [[nodiscard]] const std::string& file() const { return file_; }
  [[nodiscard]] const topology::TopologyGraph& graph() const { return resolved_.graph; }
  [[nodiscard]] const std::vector<std::string>& warnings() const { return resolved_.warnings; }
  /// Return the columns of frames.
  [[nodiscard]] pybind11::dict nodes() const;
  [[nodiscard]] pybind11::dict edges() const;
  [[nodiscard]] pybind11::dict probe(const std::vector<std::uint64_t>& sizes, unsigned jobs) const;

 private:
  std::string file_;
  topology::ResolvedTopology resolved_;
};

/// Adds the class Topology to the module.
pybind11::class_<Topology, std::shared_ptr<Topology>> add_topology(pybind11::module_& module);

}  // namespace kernbench::python
