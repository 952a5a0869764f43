// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "common/api.hpp"

namespace kernbench::model::runtime {

/// The part of a tensor that each program along an axis holds.
enum class Placement : std::uint8_t {
  Replicate,   ///< the whole tensor
  RowWise,     ///< a range of rows
  ColumnWise,  ///< a range of columns
};
[[nodiscard]] KERNBENCH_API std::string_view name_of(Placement placement);
[[nodiscard]] KERNBENCH_API std::optional<Placement> placement_of(std::string_view name);

/// The layout of a tensor over the PEs of a SIP (Architecture, "Parallelism"): distributed over
/// cubes, then each cube's part over its PEs. Tensors never span SIPs.
struct KERNBENCH_API DpPolicy {
  Placement cube = Placement::Replicate;
  Placement pe = Placement::Replicate;
  std::optional<std::uint32_t> cubes{};  ///< number of cubes used; all if not set
  std::optional<std::uint32_t> pes{};    ///< number of PEs used in each cube; all if not set

  friend bool operator==(const DpPolicy&, const DpPolicy&) = default;
};

/// A policy that has a name.
struct NamedPolicy {
  std::string_view name;
  DpPolicy policy;
};
inline constexpr std::array<NamedPolicy, 5> kNamedPolicies = {
    {{"row", {Placement::RowWise, Placement::RowWise}},
     {"column", {Placement::ColumnWise, Placement::ColumnWise}},
     {"blocks", {Placement::RowWise, Placement::ColumnWise}},
     {"replicated", {Placement::Replicate, Placement::RowWise}},
     {"everywhere", {Placement::Replicate, Placement::Replicate}}}};
/// Returns the policy of this name, or nothing.
[[nodiscard]] KERNBENCH_API std::optional<DpPolicy> policy_of(std::string_view name);

/// A rectangle of a tensor, in elements.
struct Rectangle {
  std::uint64_t row = 0;
  std::uint64_t column = 0;
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;

  [[nodiscard]] bool empty() const { return rows == 0 || columns == 0; }
  friend constexpr bool operator==(const Rectangle&, const Rectangle&) = default;
};

[[nodiscard]] KERNBENCH_API Rectangle intersection(const Rectangle& a, const Rectangle& b);

/// The part of the tensor in a shard and the shard's position in the tensor's virtual range.
struct ShardPlace {
  Rectangle part;
  std::uint64_t offset = 0;  ///< elements before the shard
};

/// The layout of a tensor over `cubes` x `pes` programs. Each dimension is cut into pieces of
/// ceil(size / count), so the last pieces may be smaller or empty. The virtual range holds the
/// shards by cube, then PE, each in row-major order. Replicas share their virtual addresses.
class KERNBENCH_API Layout {
 public:
  Layout(std::uint64_t rows, std::uint64_t columns, const DpPolicy& policy, std::uint32_t cubes,
         std::uint32_t pes)
      : rows_(rows), columns_(columns), policy_(policy), cubes_(cubes), pes_(pes) {}

  [[nodiscard]] std::uint64_t rows() const { return rows_; }
  [[nodiscard]] std::uint64_t columns() const { return columns_; }
  [[nodiscard]] const DpPolicy& policy() const { return policy_; }
  [[nodiscard]] std::uint32_t cubes() const { return cubes_; }
  [[nodiscard]] std::uint32_t pes() const { return pes_; }
  [[nodiscard]] ShardPlace shard(std::uint32_t cube, std::uint32_t pe) const;
  /// Returns the part of all PEs of a cube together.
  [[nodiscard]] ShardPlace cube_part(std::uint32_t cube) const;
  /// Returns true if the virtual range holds the whole tensor in row-major order.
  [[nodiscard]] bool row_major() const;

 private:
  std::uint64_t rows_;
  std::uint64_t columns_;
  DpPolicy policy_;
  std::uint32_t cubes_;
  std::uint32_t pes_;
};

}  // namespace kernbench::model::runtime
