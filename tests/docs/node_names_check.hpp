// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "repository_text.hpp"

namespace kernbench::docs {

/// Lists the lines that build or take apart the name of a node, "file:line: text". Only
/// topology/graph/node_names.cpp may (ADR-0051 D5), and the few lines that the check names with
/// their reasons. Looks at string literals of C++ and Python and at the code of the viewer;
/// sentences that mention a name, such as examples in help texts, are passed over.
[[nodiscard]] std::vector<std::string> check_node_names(const std::vector<SourceFile>& files);

}  // namespace kernbench::docs
