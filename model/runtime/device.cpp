// SPDX-License-Identifier: Apache-2.0
#include "model/runtime/device.hpp"
#include "topology/graph/node_names.hpp"
#include "topology/spec/topology_spec.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace kernbench::model::runtime {

topology::Grid DevicePart::grid(const topology::TopologySpec& spec) const {
  return cubes.value_or(topology::Grid{spec.sip.cube_mesh_w, spec.sip.cube_mesh_h});
}

std::uint32_t DevicePart::pes_of_cube(const topology::TopologySpec& spec) const {
  return pes.value_or(spec.cube.pes());
}

std::uint64_t DevicePart::all_pes(const topology::TopologySpec& spec) const {
  return std::uint64_t{grid(spec).nodes()} * pes_of_cube(spec);
}

Device Device::of_sip(const topology::TopologySpec& spec, std::uint32_t sip,
                      const DevicePart& part) {
  const topology::Grid mesh{spec.sip.cube_mesh_w, spec.sip.cube_mesh_h};
  const topology::Grid used = part.grid(spec);
  const std::uint32_t pes = part.pes_of_cube(spec);
  if (used.nx == 0 || used.ny == 0 || used.nx > mesh.nx || used.ny > mesh.ny || pes == 0 ||
      pes > spec.cube.pes()) {
    throw std::invalid_argument(fmt::format(
        "{} x {} cubes with {} PEs are not a part of a SIP of {} x {} cubes with {} PEs", used.nx,
        used.ny, pes, mesh.nx, mesh.ny, spec.cube.pes()));
  }
  Device device{sip, {}, std::vector<std::uint32_t>(pes)};
  for (std::uint32_t y = 0; y < used.ny; ++y) {
    for (std::uint32_t x = 0; x < used.nx; ++x) device.cubes.push_back(mesh.at(x, y));
  }
  std::iota(device.pes.begin(), device.pes.end(), 0U);
  return device;
}

bool Device::has(const memory::PeLocation& pe) const {
  const auto in = [](const std::vector<std::uint32_t>& list, std::uint32_t number) {
    return std::find(list.begin(), list.end(), number) != list.end();
  };
  return pe.sip == sip && in(cubes, pe.cube) && in(pes, pe.pe);
}

std::string Device::name() const {
  namespace names = topology::node_names;
  if (cubes.size() != 1) return names::sip(sip);
  return pes.size() != 1 ? names::cube(sip, cubes[0]) : names::pe(sip, cubes[0], pes[0]);
}

}  // namespace kernbench::model::runtime
