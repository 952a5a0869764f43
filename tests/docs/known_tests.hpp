// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>

namespace kernbench::docs {

/// Adds what `format` makes of every match of `pattern` in `text` to `names`.
void add_matches(const std::string& text, const char* pattern, const char* format,
                 std::set<std::string>& names);

/// Returns the names of all tests of the repository: "Suite.Name" of GoogleTest, names of ctests,
/// and "path/of/file.py test_name" of Python.
[[nodiscard]] std::set<std::string> test_names();

}  // namespace kernbench::docs
