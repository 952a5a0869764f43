// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>
#include <vector>

#include "repository_text.hpp"

namespace kernbench::docs {

/// Lists relative links of the pages whose file, or whose heading after `#`, does not exist.
[[nodiscard]] std::vector<std::string> broken_links(const std::vector<SourceFile>& pages);

/// Lists calls of make in code (`make x` in backticks, or an indented or fenced line that begins
/// with make) whose target is not in the Makefile.
[[nodiscard]] std::vector<std::string> unknown_targets(const std::vector<SourceFile>& pages,
                                                       const std::set<std::string>& targets);

/// Returns the targets that a Makefile defines, by rules of their own or as phony ones.
[[nodiscard]] std::set<std::string> make_targets(const std::string& makefile);

}  // namespace kernbench::docs
