// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "common/enum_names.hpp"

namespace kernbench::model::runtime {

/// How kernels address tensors (Architecture, "Address Scheme").
///
/// - Virtual: a tensor has one contiguous virtual range. Its deployment sends the PEs a map with a
///   region for each shard, its release an unmap.
/// - Physical: nothing is mapped and no message is sent. A kernel addresses each shard by its
///   physical address, which the PE's MMU passes on.
/// - Logical: an address is a tensor and an offset in it. The map is a descriptor: one region for
///   all shards at the same offset in the HBM of their PEs.
enum class AddressModel : std::uint8_t { Virtual, Physical, Logical };
inline constexpr std::array<common::EnumName<AddressModel>, 3> kAddressModelNames = {
    {{"virtual", AddressModel::Virtual},
     {"physical", AddressModel::Physical},
     {"logical", AddressModel::Logical}}};
constexpr const auto& name_table(AddressModel /*any*/) {
  return kAddressModelNames;
}

/// The least logical address, and the most bytes of a tensor that has logical addresses.
inline constexpr std::uint64_t kLogicalBegin = std::uint64_t{1} << 63U;
inline constexpr std::uint64_t kLogicalBytes = std::uint64_t{1} << 40U;

}  // namespace kernbench::model::runtime
