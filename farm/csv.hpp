// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "farm/store.hpp"

namespace kernbench::farm {

/// Returns the value of a target as text; "" for null.
[[nodiscard]] std::string text_of(const nlohmann::json& value);

/// Returns the values of a point with their names: "bench.m=4, seed=1".
[[nodiscard]] std::string text_of_point(const std::vector<std::string>& names,
                                        const std::vector<std::string>& values);

/// Returns short forms of dotted names, which still differ: "clock_ghz" for
/// "topology.pe.clock_ghz". Names that are not of keys stay as they are.
[[nodiscard]] std::vector<std::string> short_names(const std::vector<std::string>& names);

/// Returns the names of the columns of a table: key, parameters, outcome, grade, targets.
[[nodiscard]] std::vector<std::string> heading_of(const Table& table);

/// Returns the cells of a row, in the order of heading_of().
[[nodiscard]] std::vector<std::string> cells_of(const Row& row);

/// Returns the rows as CSV (RFC 4180, with line feeds), in the columns of heading_of(). Nothing
/// in it depends on the host, so that equal plans give equal bytes.
[[nodiscard]] std::string csv_of(const Table& table);

}  // namespace kernbench::farm
