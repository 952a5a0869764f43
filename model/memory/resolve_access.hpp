// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <stdexcept>
#include <vector>

#include "model/memory/page_table.hpp"
#include "topology/graph/topology_graph.hpp"
#include "topology/routing/address_resolver.hpp"

namespace kernbench::model::memory {

/// Thrown for an access to memory that does not exist.
class AccessError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Physical addresses in sequence in one memory: the HBM slice of a PE or, with hbm_mapping_mode
/// per_cube, the HBM of a cube; a TCM, an SRAM, or the 24 bits of offset of an M_CPU.
struct AccessStretch {
  topology::NodeId node;     ///< holds the first byte: hbm_ctrl of a slice, pe_tcm, sram or m_cpu
  std::uint64_t pa = 0;      ///< physical address of the first byte
  std::uint64_t offset = 0;  ///< offset of the first byte in the memory
  std::uint64_t bytes = 0;   ///< at least 1
  std::uint64_t room = 0;    ///< bytes from the first one to the end of the memory

  friend bool operator==(const AccessStretch&, const AccessStretch&) = default;
};

/// Returns the stretches that hold `bytes` from `address`, in ascending order of address.
///
/// - If `mmu` maps the whole range, the mapping applies. If it maps no byte of the range, `address`
///   is physical (the PA fallback). A partly mapped range is an error: it ran past the end of its
///   tensor, and taking the rest as physical would access unrelated memory.
/// - A contiguous range may span HBM slices of a cube, but must end within the cube's HBM, the TCM,
///   the SRAM, or the M_CPU.
/// - Adjacent stretches in the same memory are merged, so that the timing does not depend on how a
///   range was mapped.
///
/// Throws AccessError, naming the access and the reason, for 0 bytes, a range that does not end
/// below 2^64, a partly mapped range, an address that does not decode or decodes to a missing node,
/// and a range that does not fit into its memory. `resolver` must belong to a topology with these
/// `memories`.
[[nodiscard]] std::vector<AccessStretch> resolve_stretches(
    const PageTable& mmu, std::uint64_t address, std::uint64_t bytes,
    const topology::AddressResolver& resolver, const topology::MemoryMapSpec& memories);

/// Part of an access that one node serves.
struct AccessPiece {
  topology::NodeId node;     ///< hbm_ctrl of a slice, pe_tcm, sram or m_cpu
  std::uint64_t offset = 0;  ///< offset of the first byte in the node's memory
  std::uint64_t bytes = 0;   ///< at least 1

  friend bool operator==(const AccessPiece&, const AccessPiece&) = default;
};

/// Returns what each node serves of the stretches of a range: one piece of a stretch, or with
/// hbm_mapping_mode per_cube one of each slice (topology/routing/hbm_map.hpp). Throws like
/// resolve_stretches().
[[nodiscard]] std::vector<AccessPiece> resolve_access(const PageTable& mmu, std::uint64_t address,
                                                      std::uint64_t bytes,
                                                      const topology::AddressResolver& resolver,
                                                      const topology::MemoryMapSpec& memories);
/// Does the same for physical addresses.
[[nodiscard]] std::vector<AccessPiece> resolve_physical(std::uint64_t pa, std::uint64_t bytes,
                                                        const topology::AddressResolver& resolver,
                                                        const topology::MemoryMapSpec& memories);

}  // namespace kernbench::model::memory
