// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>

#include "common/api.hpp"

namespace kernbench::topology {

/// A route or an address that does not exist in the topology.
class RoutingError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

enum class AddressKind : std::uint8_t { Hbm = 0, PeResource = 1 };
enum class UnitType : std::uint8_t { Pe = 0, Sram = 1, MCpu = 2 };

/// A decoded physical address (DESIGN section 4):
///   [63:56] 0, [55:48] sip, [47:40] cube, [39:36] kind, [35:0] offset.
/// HBM: the offset covers the cube's whole HBM. Kind 0 is its first 64 GiB; kinds 9 to 15 are the
/// second to the eighth, so that bits 38 to 36 of the offset stand in the kind. PE resource, kind
/// 1: [35:32] unit, [31:24] pe (0 unless the unit is a PE), [23:0] offset within the unit.
struct KERNBENCH_API PhysAddr {
  std::uint8_t sip = 0;
  std::uint8_t cube = 0;
  AddressKind kind = AddressKind::Hbm;
  std::uint64_t hbm_offset = 0;  ///< bytes, below 2^39; for kind Hbm only
  UnitType unit = UnitType::Pe;  ///< this and the next two: for kind PeResource only
  std::uint8_t pe = 0;
  std::uint32_t unit_offset = 0;  ///< bytes, below 2^24

  [[nodiscard]] static PhysAddr hbm(std::uint8_t sip, std::uint8_t cube, std::uint64_t offset);
  [[nodiscard]] static PhysAddr pe_tcm(std::uint8_t sip, std::uint8_t cube, std::uint8_t pe,
                                       std::uint32_t offset);
  [[nodiscard]] static PhysAddr sram(std::uint8_t sip, std::uint8_t cube, std::uint32_t offset);
  [[nodiscard]] static PhysAddr m_cpu(std::uint8_t sip, std::uint8_t cube, std::uint32_t offset);

  friend constexpr bool operator==(const PhysAddr&, const PhysAddr&) = default;
};

/// Returns the address as 64 bits. Throws RoutingError if a field exceeds its bits.
[[nodiscard]] KERNBENCH_API std::uint64_t encode(const PhysAddr& address);

/// Returns the address `bytes` further in the same memory. Addresses of HBM are not in sequence at
/// the 64th GiB of a cube.
[[nodiscard]] KERNBENCH_API PhysAddr advanced(PhysAddr address, std::uint64_t bytes);

/// Decodes 64 bits. Throws RoutingError for a reserved pattern, naming the field.
[[nodiscard]] KERNBENCH_API PhysAddr decode_phys_addr(std::uint64_t bits);

}  // namespace kernbench::topology
