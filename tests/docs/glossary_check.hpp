// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "repository_text.hpp"

namespace kernbench::docs {

/// Returns the terms of a glossary: its headings of the third level.
[[nodiscard]] std::vector<std::string> glossary_terms(const std::string& glossary);

/// Lists terms that a page does not link where it uses them first. A use is the term or its plural,
/// as words of their own in the text or as a code span; headings and code blocks do not count.
[[nodiscard]] std::vector<std::string> unlinked_terms(const std::vector<SourceFile>& pages,
                                                      const std::vector<std::string>& terms);

}  // namespace kernbench::docs
