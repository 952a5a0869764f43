// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "common/api.hpp"

namespace kernbench::model::ccl {

/// The members of a call of a collective.
struct CallShape {
  std::uint32_t size = 1;
  std::uint32_t root =
      0;  ///< index of the member that sends or receives for all, where there is one
};

/// A block of a member's input.
struct Source {
  std::uint32_t member = 0;
  std::uint32_t block = 0;
};

/// A collective operation: its contract, which every algorithm must fulfil and the verifier checks.
///
/// Tensors consist of blocks of rows. A tensor has one block, one for each member, or none: the
/// member then has no such tensor. Blocks have equal sizes, unless `uneven`: then block b of the
/// input of member m has as many rows as the caller says, and an output block has the size of its
/// source.
struct Collective {
  std::string name;  ///< as in ccl.yaml
  std::string description;
  /// Adds up: the output is the sum of the sources, each with one summand for each cube of its
  /// member. Otherwise an output block has one source, and all cubes of a member have the same
  /// input.
  bool sums = false;
  bool uneven = false;  ///< the blocks may have different sizes
  bool waits = false;   ///< no member's call ends before all have begun
  std::uint32_t (*input_blocks)(std::uint32_t member, const CallShape& call) = nullptr;
  std::uint32_t (*output_blocks)(std::uint32_t member, const CallShape& call) = nullptr;
  /// Returns the sources of a block of a member's output.
  std::vector<Source> (*after)(std::uint32_t member, std::uint32_t block,
                               const CallShape& call) = nullptr;
};

/// Returns all collectives, sorted by name.
[[nodiscard]] KERNBENCH_API const std::vector<const Collective*>& collectives();
/// Returns the collective with this name, or null.
[[nodiscard]] KERNBENCH_API const Collective* find_collective(std::string_view name);

/// Registers a collective when the program starts, or when the plugin is loaded.
class KERNBENCH_API CollectiveRegistration {
 public:
  /// Refuses a name that is already registered.
  explicit CollectiveRegistration(Collective collective);
};

}  // namespace kernbench::model::ccl
