// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "common/api.hpp"
#include "model/memory/free_list.hpp"
#include "topology/routing/phys_addr.hpp"
#include "topology/spec/spec_forward.hpp"

namespace kernbench::model::memory {

/// Position of a PE in the system.
struct PeLocation {
  std::uint32_t sip = 0;
  std::uint32_t cube = 0;  ///< y * w + x within the SIP
  std::uint32_t pe = 0;    ///< within the cube

  /// Returns the name of the PE, such as "sip0.cube3.pe1".
  [[nodiscard]] KERNBENCH_API std::string name() const;

  // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 takes the 0 of a <=> b < 0 for a pointer
  friend constexpr auto operator<=>(const PeLocation&, const PeLocation&) = default;
};

/// Allocates physical addresses in a PE's HBM slice and TCM, which have one free list each. Blocks
/// are neither aligned nor padded.
class PeAllocator {
 public:
  /// Throws std::invalid_argument when the PE does not exist.
  PeAllocator(const topology::TopologySpec& spec, const PeLocation& location);

  /// See FreeList::allocate().
  [[nodiscard]] topology::PhysAddr allocate_hbm(std::uint64_t bytes);
  [[nodiscard]] topology::PhysAddr allocate_tcm(std::uint64_t bytes);

  /// See FreeList::reserve_end().
  void reserve_hbm_end(std::uint64_t bytes) { hbm_.reserve_end(bytes); }
  void reserve_tcm_end(std::uint64_t bytes) { tcm_.reserve_end(bytes); }

  /// Frees a block of either memory. Throws std::invalid_argument for an address outside this PE's
  /// memory, and like FreeList::free().
  void free(const topology::PhysAddr& address, std::uint64_t bytes);

  [[nodiscard]] const FreeList& hbm() const { return hbm_; }
  [[nodiscard]] const FreeList& tcm() const { return tcm_; }
  /// The TCM by offset, and the address of offset 0.
  [[nodiscard]] FreeList& tcm() { return tcm_; }
  [[nodiscard]] topology::PhysAddr tcm_begin() const { return tcm_address(0); }

 private:
  [[nodiscard]] topology::PhysAddr tcm_address(std::uint64_t offset) const;

  PeLocation location_;
  FreeList hbm_;
  FreeList tcm_;
};

}  // namespace kernbench::model::memory
