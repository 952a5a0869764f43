// SPDX-License-Identifier: Apache-2.0
#include "model/runtime/device.hpp"
#include "topology/spec/topology_spec.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace kernbench::model::runtime {

Device Device::of_sip(const topology::TopologySpec& spec, std::uint32_t sip) {
  Device device{sip, std::vector<std::uint32_t>(spec.sip.cubes()),
                std::vector<std::uint32_t>(spec.cube.pes())};
  std::iota(device.cubes.begin(), device.cubes.end(), 0U);
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
  if (cubes.size() != 1) return fmt::format("sip{}", sip);
  if (pes.size() != 1) return fmt::format("sip{}.cube{}", sip, cubes[0]);
  return fmt::format("sip{}.cube{}.pe{}", sip, cubes[0], pes[0]);
}

}  // namespace kernbench::model::runtime
