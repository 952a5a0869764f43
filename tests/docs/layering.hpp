// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "repository_text.hpp"

namespace kernbench::docs {

/// Lists violations of the order of the layers (docs/developer/developer-guide.md): an include of a
/// forbidden layer, an include that is not rooted at the repository, a second source that includes
/// the header of a verilated top, and circles between folders at any depth.
[[nodiscard]] std::vector<std::string> check_layering(const std::vector<SourceFile>& files);

/// Lists the rows of the table of folders on a page, `| folder | holds | may include |`, whose last
/// cell is not what the order of the layers allows.
[[nodiscard]] std::vector<std::string> wrong_layer_rows(const std::string& page);

}  // namespace kernbench::docs
