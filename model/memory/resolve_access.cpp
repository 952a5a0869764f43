// SPDX-License-Identifier: Apache-2.0
#include "model/memory/resolve_access.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "topology/graph/node_names.hpp"
#include "topology/routing/hbm_map.hpp"
#include "topology/spec/cube_spec.hpp"

namespace kernbench::model::memory {

namespace {

using topology::AddressKind;
using topology::PhysAddr;
using topology::UnitType;

/// The memory that contains a physical address.
struct Memory {
  const char* name;
  std::uint64_t bytes;
  std::uint64_t stretch_bytes;  ///< bytes after which another stretch begins
  std::uint64_t offset;         ///< offset of the address in the memory
};

Memory memory_of(const PhysAddr& address, const topology::MemoryMapSpec& memories) {
  if (address.kind == AddressKind::Hbm) {
    const std::uint64_t slice = memories.hbm_slice_bytes();
    const std::uint64_t all = slice * memories.slices_per_cube;
    return {"HBM", all, memories.is_striped() ? all : slice, address.hbm_offset};
  }
  const auto unit = [&address](const char* name, std::uint64_t bytes) {
    return Memory{name, bytes, bytes, address.unit_offset};
  };
  switch (address.unit) {
    case UnitType::Pe:
      return unit("TCM", std::uint64_t{memories.tcm_mb} << 20U);
    case UnitType::Sram:
      return unit("SRAM", std::uint64_t{memories.sram_mb} << 20U);
    case UnitType::MCpu:
      break;
  }
  return unit("M_CPU",
              std::uint64_t{1} << 24U);  // width of the offset field; the size is not modelled
}

std::string owner_of(const PhysAddr& address) {
  if (address.kind == AddressKind::PeResource && address.unit == UnitType::Pe) {
    return topology::node_names::pe(address.sip, address.cube, address.pe);
  }
  return topology::node_names::cube(address.sip, address.cube);
}

class Resolution {
 public:
  Resolution(std::uint64_t address, std::uint64_t bytes, const topology::AddressResolver& resolver,
             const topology::MemoryMapSpec& memories)
      : address_(address), bytes_(bytes), resolver_(resolver), memories_(memories) {}

  std::vector<AccessStretch> resolve(const PageTable& mmu) {
    if (bytes_ == 0) refuse("there is nothing to access");
    if (bytes_ > ~address_) refuse("it does not end below 2^64");
    const std::vector<Translation> stretches = mmu.translate_range(address_, bytes_);
    const auto hole = std::find_if(stretches.begin(), stretches.end(),
                                   [](const Translation& stretch) { return !stretch.pa; });
    if (hole == stretches.end()) {
      for (const Translation& stretch : stretches) add_memory(*stretch.pa, stretch.bytes);
    } else if (stretches.size() == 1) {
      add_memory(address_, bytes_);
    } else {
      refuse(fmt::format("only a part of it is mapped, nothing at {:#x}", hole->va));
    }
    return std::move(found_);
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const {
    throw AccessError(fmt::format("access of {} bytes at {:#x}: {}", bytes_, address_, why));
  }

  /// Adds a physically contiguous range.
  void add_memory(std::uint64_t pa, std::uint64_t bytes) {
    try {
      const PhysAddr first = topology::decode_phys_addr(pa);
      const Memory memory = memory_of(first, memories_);
      if (memory.offset >= memory.bytes || bytes > memory.bytes - memory.offset) {
        refuse(
            fmt::format("{} bytes at offset {:#x} do not fit into the {:#x} bytes of the {} of {}",
                        bytes, memory.offset, memory.bytes, memory.name, owner_of(first)));
      }
      add_stretches(first, bytes, memory);
    } catch (const topology::RoutingError& error) {
      refuse(error.what());
    }
  }

  void add_stretches(PhysAddr address, std::uint64_t bytes, const Memory& memory) {
    std::uint64_t offset = memory.offset;
    while (bytes > 0) {
      const std::uint64_t within = offset % memory.stretch_bytes;
      const std::uint64_t room = memory.stretch_bytes - within;
      const std::uint64_t length = std::min(bytes, room);
      add({resolver_.resolve(address), topology::encode(address), within, length, room});
      address = topology::advanced(address, length);
      offset += length;
      bytes -= length;
    }
  }

  void add(const AccessStretch& stretch) {
    const bool follows = !found_.empty() && found_.back().pa + found_.back().bytes == stretch.pa &&
                         stretch.offset != 0;
    if (follows) {
      found_.back().bytes += stretch.bytes;
    } else {
      found_.push_back(stretch);
    }
  }

  std::uint64_t address_;
  std::uint64_t bytes_;
  const topology::AddressResolver& resolver_;
  const topology::MemoryMapSpec& memories_;
  std::vector<AccessStretch> found_;
};

}  // namespace

std::vector<AccessStretch> resolve_stretches(const PageTable& mmu, std::uint64_t address,
                                             std::uint64_t bytes,
                                             const topology::AddressResolver& resolver,
                                             const topology::MemoryMapSpec& memories) {
  return Resolution(address, bytes, resolver, memories).resolve(mmu);
}

std::vector<AccessPiece> resolve_access(const PageTable& mmu, std::uint64_t address,
                                        std::uint64_t bytes,
                                        const topology::AddressResolver& resolver,
                                        const topology::MemoryMapSpec& memories) {
  std::vector<AccessPiece> pieces;
  for (const AccessStretch& stretch : resolve_stretches(mmu, address, bytes, resolver, memories)) {
    const PhysAddr first = topology::decode_phys_addr(stretch.pa);
    if (first.kind != AddressKind::Hbm || !memories.is_striped()) {
      pieces.push_back({stretch.node, stretch.offset, stretch.bytes});
      continue;
    }
    for (const topology::SliceBytes& part :
         topology::hbm_slices_of(memories, stretch.offset, stretch.bytes)) {
      pieces.push_back(
          {resolver.find_hbm_ctrl(first.sip, first.cube, part.slice), part.offset, part.bytes});
    }
  }
  return pieces;
}

std::vector<AccessPiece> resolve_physical(std::uint64_t pa, std::uint64_t bytes,
                                          const topology::AddressResolver& resolver,
                                          const topology::MemoryMapSpec& memories) {
  static const PageTable kUnmapped;
  return resolve_access(kUnmapped, pa, bytes, resolver, memories);
}

}  // namespace kernbench::model::memory
