#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace kernbench::model::runtime {

/// What the programs along an axis have of a tensor.
enum class Placement : std::uint8_t {
  Replicate,   ///< all of it each
  RowWise,     ///< some of its rows
  ColumnWise,  ///< some of its columns
};
[[nodiscard]] std::string_view name_of(Placement placement);
[[nodiscard]] std::optional<Placement> placement_of(std::string_view name);

/// How a tensor is laid out over the PEs of a SIP (Architecture, "Parallelism"): first over cubes,
/// then what a cube has over its PEs. It never crosses SIPs.
struct DpPolicy {
  Placement cube = Placement::Replicate;
  Placement pe = Placement::Replicate;
  std::optional<std::uint32_t> cubes{};  ///< the first so many; all without
  std::optional<std::uint32_t> pes{};    ///< of each cube

  friend bool operator==(const DpPolicy&, const DpPolicy&) = default;
};

/// A rectangle of a tensor, in elements.
struct Rectangle {
  std::uint64_t row = 0;
  std::uint64_t column = 0;
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;

  [[nodiscard]] bool empty() const { return rows == 0 || columns == 0; }
  friend constexpr bool operator==(const Rectangle&, const Rectangle&) = default;
};

[[nodiscard]] Rectangle intersection(const Rectangle& a, const Rectangle& b);

/// A shard: its part of the tensor, and where it begins in the tensor's virtual range.
struct ShardPlace {
  Rectangle part;
  std::uint64_t offset = 0;  ///< elements
};

/// The layout of a tensor over `cubes` x `pes` programs. Each dimension is cut into pieces of
/// ceil(size / count), so that the last ones may be smaller or empty. Shards follow one another in
/// the virtual range, those of a cube together, each row after row; replicas are at the same
/// virtual addresses.
class Layout {
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
  /// What all PEs of a cube have together.
  [[nodiscard]] ShardPlace cube_part(std::uint32_t cube) const;
  /// Whether the range holds the tensor row after row.
  [[nodiscard]] bool row_major() const;

 private:
  std::uint64_t rows_;
  std::uint64_t columns_;
  DpPolicy policy_;
  std::uint32_t cubes_;
  std::uint32_t pes_;
};

}  // namespace kernbench::model::runtime
