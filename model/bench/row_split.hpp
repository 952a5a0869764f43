// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/bench/registry.hpp"
#include "model/kernel/tl.hpp"
#include "model/runtime/context.hpp"

namespace kernbench::model::bench {

/// Elements that a PE processes at a time: a few tiles of them in f32 fit into the TCM.
inline constexpr std::uint64_t kElementsAtATime = 65536;

/// Returns the parameters of a bench that processes matrices row by row, `split` included.
[[nodiscard]] inline std::vector<Parameter> row_parameters() {
  return {
      {"rows", "1024", "rows of x and y"},
      {"columns", "512", "columns of x and y"},
      {"type", "f16", "f32, f16 or bf16"},
      {"rows_at_once", "16", "rows that a PE processes at a time"},
      {"split", "auto",
       "yes: PEs share each row, no: they have rows of their own; auto: yes for few long rows"}};
}

/// Returns the mappings of a parameter `split` that is "auto", `first` first.
[[nodiscard]] inline std::vector<Mapping> split_mappings(const ParameterValues& values,
                                                         const char* first) {
  if (values.at("split") != "auto") return {};
  const std::string other = std::string_view(first) == "yes" ? "no" : "yes";
  return {{{{"split", first}}}, {{{"split", other}}}};
}

/// Returns true if the PEs should share each row of a matrix instead of having rows of their own:
/// when there are fewer rows than PEs, and rows are so long that it is worth a second launch, in
/// which each PE reads what all PEs say of each row.
[[nodiscard]] inline bool shares_rows(std::uint64_t rows, std::uint64_t columns,
                                      std::uint64_t pes) {
  constexpr std::uint64_t kColumnsForARow = 2048;
  constexpr std::uint64_t kFewRows = 8;
  return rows < pes && columns / kColumnsForARow >= std::max(rows, kFewRows);
}
/// The same as a bench's parameter `split` says.
[[nodiscard]] inline bool shares_rows(const runtime::Context& kb, std::uint64_t rows,
                                      std::uint64_t columns) {
  const std::string how = kb.choice("split", {"auto", "yes", "no"});
  if (how != "auto") return how == "yes";
  return shares_rows(rows, columns, std::uint64_t{kb.cubes()} * kb.pes());
}

/// Returns the mappings of a bench with row_parameters().
[[nodiscard]] std::vector<Mapping> row_mappings(const ParameterValues& values,
                                                const topology::TopologySpec& spec,
                                                const runtime::DevicePart& part);

/// Calls `work` with each range of columns (first, count) such that `rows` of them are processed at
/// a time.
template <typename Work>
void for_each_chunk(std::uint64_t rows, std::uint64_t columns, const Work& work) {
  const std::uint64_t size = std::max<std::uint64_t>(kElementsAtATime / rows, 1);
  for (std::uint64_t first = 0; first < columns; first += size) {
    work(first, std::min(size, columns - first));
  }
}

/// Returns true if `rows` of so many columns are processed at once.
[[nodiscard]] inline bool is_one_chunk(std::uint64_t rows, std::uint64_t columns) {
  return columns <= std::max<std::uint64_t>(kElementsAtATime / rows, 1);
}

}  // namespace kernbench::model::bench
