// SPDX-License-Identifier: Apache-2.0
#include "model/bench/row_split.hpp"

#include "common/numbers.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::bench {

std::vector<Mapping> row_mappings(const ParameterValues& values, const topology::TopologySpec& spec,
                                  const runtime::DevicePart& part) {
  const std::uint64_t pes = part.all_pes(spec);
  const std::uint64_t rows = common::parse_u64(values.at("rows")).value_or(0);
  const std::uint64_t columns = common::parse_u64(values.at("columns")).value_or(0);
  // More rows than this occupy all PEs anyway, and a second launch is in vain.
  constexpr std::uint64_t kRowsOfAPe = 2;
  if (rows >= kRowsOfAPe * pes) return {};
  return split_mappings(values, shares_rows(rows, columns, pes) ? "yes" : "no");
}

}  // namespace kernbench::model::bench
