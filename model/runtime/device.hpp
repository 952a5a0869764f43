// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/api.hpp"
#include "model/memory/pe_allocator.hpp"
#include "topology/grid.hpp"
#include "topology/spec/spec_forward.hpp"

namespace kernbench::model::runtime {

/// A part of each SIP: a rectangle of cubes from cube 0 on, and the first PEs of each of them.
struct KERNBENCH_API DevicePart {
  std::optional<topology::Grid> cubes{};  ///< all if not set
  std::optional<std::uint32_t> pes{};     ///< all if not set

  /// Returns the cubes of the part in a SIP of a system, the PEs of each of them, and all its PEs.
  [[nodiscard]] topology::Grid grid(const topology::TopologySpec& spec) const;
  [[nodiscard]] std::uint32_t pes_of_cube(const topology::TopologySpec& spec) const;
  [[nodiscard]] std::uint64_t all_pes(const topology::TopologySpec& spec) const;

  friend bool operator==(const DevicePart&, const DevicePart&) = default;
};

/// The PEs on which a context places tensors and launches kernels: some PEs of some cubes of a SIP,
/// in any order. Layouts and tl.program_id() count within it.
struct KERNBENCH_API Device {
  std::uint32_t sip = 0;
  std::vector<std::uint32_t> cubes;
  std::vector<std::uint32_t> pes;  ///< the same in each cube

  /// Returns the PEs of a SIP, or of a part of it. Throws std::invalid_argument for a part that the
  /// SIP does not have.
  [[nodiscard]] static Device of_sip(const topology::TopologySpec& spec, std::uint32_t sip,
                                     const DevicePart& part = {});

  /// Returns where a PE is, by its indices in `cubes` and `pes`.
  [[nodiscard]] memory::PeLocation at(std::uint32_t cube, std::uint32_t pe) const {
    return {sip, cubes[cube], pes[pe]};
  }
  [[nodiscard]] bool has(const memory::PeLocation& pe) const;
  /// Returns "sip0", "sip0.cube3" or "sip0.cube3.pe1", the smallest part that holds all its PEs.
  [[nodiscard]] std::string name() const;

  friend bool operator==(const Device&, const Device&) = default;
};

}  // namespace kernbench::model::runtime
