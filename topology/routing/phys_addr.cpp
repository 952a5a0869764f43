// SPDX-License-Identifier: Apache-2.0
#include "topology/routing/phys_addr.hpp"

#include <fmt/format.h>

namespace kernbench::topology {

namespace {

constexpr unsigned kSipShift = 48;
constexpr unsigned kCubeShift = 40;
constexpr unsigned kKindShift = 36;
constexpr unsigned kUnitShift = 32;
constexpr unsigned kPeShift = 24;
constexpr unsigned kUnitOffsetBits = 24;
constexpr unsigned kHbmOffsetBits = 39;
/// Kind of the HBM beyond its first 64 GiB, to which bits 38 to 36 of the offset are added.
constexpr std::uint64_t kUpperHbm = 8;

std::uint64_t field(std::uint64_t bits, unsigned shift, unsigned width) {
  return (bits >> shift) & ((std::uint64_t{1} << width) - 1);
}

[[noreturn]] void refuse(std::uint64_t bits, const std::string& why) {
  throw RoutingError(fmt::format("physical address {:#018x}: {}", bits, why));
}

PhysAddr resource(std::uint8_t sip, std::uint8_t cube, UnitType unit, std::uint8_t pe,
                  std::uint32_t offset) {
  PhysAddr address;
  address.sip = sip;
  address.cube = cube;
  address.kind = AddressKind::PeResource;
  address.unit = unit;
  address.pe = pe;
  address.unit_offset = offset;
  return address;
}

}  // namespace

PhysAddr PhysAddr::hbm(std::uint8_t sip, std::uint8_t cube, std::uint64_t offset) {
  PhysAddr address;
  address.sip = sip;
  address.cube = cube;
  address.hbm_offset = offset;
  return address;
}

PhysAddr PhysAddr::pe_tcm(std::uint8_t sip, std::uint8_t cube, std::uint8_t pe,
                          std::uint32_t offset) {
  return resource(sip, cube, UnitType::Pe, pe, offset);
}

PhysAddr PhysAddr::sram(std::uint8_t sip, std::uint8_t cube, std::uint32_t offset) {
  return resource(sip, cube, UnitType::Sram, 0, offset);
}

PhysAddr PhysAddr::m_cpu(std::uint8_t sip, std::uint8_t cube, std::uint32_t offset) {
  return resource(sip, cube, UnitType::MCpu, 0, offset);
}

std::uint64_t encode(const PhysAddr& address) {
  std::uint64_t bits = std::uint64_t{address.sip} << kSipShift |
                       std::uint64_t{address.cube} << kCubeShift |
                       std::uint64_t{static_cast<std::uint8_t>(address.kind)} << kKindShift;
  if (address.kind == AddressKind::Hbm) {
    if (address.hbm_offset >> kHbmOffsetBits != 0) {
      throw RoutingError(
          fmt::format("HBM offset {:#x} does not fit into 39 bits", address.hbm_offset));
    }
    const bool upper = address.hbm_offset >> kKindShift != 0;
    return bits | (upper ? kUpperHbm << kKindShift : 0) | address.hbm_offset;
  }
  if (address.unit_offset >> kUnitOffsetBits != 0) {
    throw RoutingError(fmt::format("offset {:#x} does not fit into 24 bits", address.unit_offset));
  }
  if (address.unit != UnitType::Pe && address.pe != 0) {
    throw RoutingError("only an address within a PE has a PE number");
  }
  bits |= std::uint64_t{static_cast<std::uint8_t>(address.unit)} << kUnitShift;
  return bits | std::uint64_t{address.pe} << kPeShift | address.unit_offset;
}

PhysAddr advanced(PhysAddr address, std::uint64_t bytes) {
  if (address.kind == AddressKind::Hbm) {
    address.hbm_offset += bytes;
  } else {
    address.unit_offset += static_cast<std::uint32_t>(bytes);
  }
  return address;
}

PhysAddr decode_phys_addr(std::uint64_t bits) {
  if (bits >> 56U != 0) refuse(bits, "bits 63..56 must be 0");
  const auto sip = static_cast<std::uint8_t>(field(bits, kSipShift, 8));
  const auto cube = static_cast<std::uint8_t>(field(bits, kCubeShift, 8));
  const std::uint64_t kind = field(bits, kKindShift, 4);
  if (kind == static_cast<std::uint64_t>(AddressKind::Hbm)) {
    return PhysAddr::hbm(sip, cube, field(bits, 0, kKindShift));
  }
  if (kind > kUpperHbm) return PhysAddr::hbm(sip, cube, field(bits, 0, kHbmOffsetBits));
  if (kind != static_cast<std::uint64_t>(AddressKind::PeResource)) {
    refuse(bits, fmt::format("kind {} (bits 39..36) is reserved; 0 and 9 to 15 are HBM, 1 is a PE "
                             "resource",
                             kind));
  }
  const std::uint64_t unit = field(bits, kUnitShift, 4);
  const auto pe = static_cast<std::uint8_t>(field(bits, kPeShift, 8));
  if (unit > static_cast<std::uint64_t>(UnitType::MCpu)) {
    refuse(bits, fmt::format("unit {} (bits 35..32) is reserved; 0 is PE, 1 SRAM, 2 M_CPU", unit));
  }
  if (unit != static_cast<std::uint64_t>(UnitType::Pe) && pe != 0) {
    refuse(bits, "bits 31..24 must be 0 unless the unit is a PE");
  }
  return resource(sip, cube, static_cast<UnitType>(unit), pe,
                  static_cast<std::uint32_t>(field(bits, 0, kUnitOffsetBits)));
}

}  // namespace kernbench::topology
