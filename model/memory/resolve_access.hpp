#pragma once

#include <cstdint>
#include <stdexcept>
#include <vector>

#include "model/memory/page_table.hpp"
#include "topology/graph/topology_graph.hpp"
#include "topology/routing/address_resolver.hpp"

namespace kernbench::model::memory {

/// An access to memory that is not there.
class AccessError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The part of an access that one node serves.
struct AccessPiece {
  topology::NodeId node;     ///< hbm_ctrl of a slice, pe_tcm, sram or m_cpu
  std::uint64_t pa = 0;      ///< physical address of the first byte
  std::uint64_t offset = 0;  ///< of the first byte within the node's own memory
  std::uint64_t bytes = 0;   ///< at least 1

  friend bool operator==(const AccessPiece&, const AccessPiece&) = default;
};

/// Where `bytes` from `address` are, in ascending order of address.
///
/// - Where `mmu` maps the range, the mapping counts. Where it maps no byte of it, `address` is a
///   physical address (the PA fallback). A range of which only a part is mapped is an error: it ran
///   off its tensor, and taking the rest as physical would read somebody else's memory.
/// - A stretch may run on from one HBM slice of a cube to the next: each slice is a piece of its
///   own, as another controller serves it. It must end within the cube's HBM; in a TCM or the SRAM,
///   within that memory; at an M_CPU, within its 24 bits of offset.
/// - Pieces that go on where the last one ended, in the same node, are one: how a range came to be
///   mapped changes no timing.
///
/// Throws AccessError, naming the access and what is wrong, for 0 bytes, a range that does not end
/// below 2^64, a part without a mapping, an address that decodes to nothing or to a node that the
/// topology lacks, and a stretch that is too long for its memory (1 TiB, say). `resolver` must be
/// of a topology with these `memories`.
[[nodiscard]] std::vector<AccessPiece> resolve_access(const PageTable& mmu, std::uint64_t address,
                                                      std::uint64_t bytes,
                                                      const topology::AddressResolver& resolver,
                                                      const topology::MemoryMapSpec& memories);

}  // namespace kernbench::model::memory
