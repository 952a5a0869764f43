#pragma once

#include <set>
#include <string>
#include <vector>

#include "repository_text.hpp"

namespace kernbench::docs {

/// Relative links of the pages whose file, or whose heading after `#`, does not exist.
[[nodiscard]] std::vector<std::string> broken_links(const std::vector<SourceFile>& pages);

/// Calls of make in code (`make x` in backticks, or an indented or fenced line that begins with
/// make) that name no target of the Makefile.
[[nodiscard]] std::vector<std::string> unknown_targets(const std::vector<SourceFile>& pages,
                                                       const std::set<std::string>& targets);

/// The targets that a Makefile defines.
[[nodiscard]] std::set<std::string> make_targets(const std::string& makefile);

}  // namespace kernbench::docs
