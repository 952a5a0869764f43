#pragma once

#include <string>
#include <vector>

#include "repository_text.hpp"

namespace kernbench::docs {

/// What breaks the order of the layers (docs/developer-guide.md): an include of a layer that the
/// file's own may not know, one that is not rooted at the repository, one of a Verilator header
/// outside the files that own a verilated top.
[[nodiscard]] std::vector<std::string> check_layering(const std::vector<SourceFile>& files);

}  // namespace kernbench::docs
