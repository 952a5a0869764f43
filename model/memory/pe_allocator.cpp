// SPDX-License-Identifier: Apache-2.0
#include "model/memory/pe_allocator.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <string>

#include "topology/graph/node_names.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::memory {

namespace {

using topology::AddressKind;
using topology::PhysAddr;
using topology::UnitType;

const PeLocation& checked(const PeLocation& location, const topology::TopologySpec& spec) {
  if (location.sip >= spec.system.sips || location.cube >= spec.sip.cubes() ||
      location.pe >= spec.cube.pes()) {
    throw std::invalid_argument(
        fmt::format("{} is not in a system of {} SIPs of {} cubes of {} PEs", location.name(),
                    spec.system.sips, spec.sip.cubes(), spec.cube.pes()));
  }
  return location;
}

}  // namespace

std::string PeLocation::name() const {
  return topology::node_names::pe(sip, cube, pe);
}

PeAllocator::PeAllocator(const topology::TopologySpec& spec, const PeLocation& location)
    : location_(checked(location, spec)),
      hbm_(fmt::format("the HBM {} of {}", spec.cube.memory_map.is_striped() ? "share" : "slice",
                       location.name()),
           spec.cube.hbm_bytes_of_pe()),
      tcm_(fmt::format("the TCM of {}", location.name()),
           std::uint64_t{spec.cube.memory_map.tcm_mb} << 20U) {}

PhysAddr PeAllocator::allocate_hbm(std::uint64_t bytes) {
  return PhysAddr::hbm(static_cast<std::uint8_t>(location_.sip),
                       static_cast<std::uint8_t>(location_.cube),
                       location_.pe * hbm_.capacity() + hbm_.allocate(bytes));
}

PhysAddr PeAllocator::tcm_address(std::uint64_t offset) const {
  return PhysAddr::pe_tcm(
      static_cast<std::uint8_t>(location_.sip), static_cast<std::uint8_t>(location_.cube),
      static_cast<std::uint8_t>(location_.pe), static_cast<std::uint32_t>(offset));
}

PhysAddr PeAllocator::allocate_tcm(std::uint64_t bytes) {
  return tcm_address(tcm_.allocate(bytes));
}

void PeAllocator::free(const PhysAddr& address, std::uint64_t bytes) {
  if (address.sip == location_.sip && address.cube == location_.cube) {
    if (address.kind == AddressKind::Hbm && address.hbm_offset / hbm_.capacity() == location_.pe) {
      hbm_.free(address.hbm_offset % hbm_.capacity(), bytes);
      return;
    }
    if (address.kind == AddressKind::PeResource && address.unit == UnitType::Pe &&
        address.pe == location_.pe) {
      tcm_.free(address.unit_offset, bytes);
      return;
    }
  }
  throw std::invalid_argument(fmt::format(
      "physical address {:#018x} freed, which is in neither the HBM slice nor the TCM of {}",
      topology::encode(address), location_.name()));
}

}  // namespace kernbench::model::memory
