// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "repository_text.hpp"

namespace kernbench::docs {

/// Lists banned wording (CONTRIBUTING.md, "Language") in comments, string literals, YAML values and
/// Markdown, one line a finding: `a.cpp:3: 'nobody': name who does not`.
///
/// The ending of a file's name decides how it is read; other files count as shell. Phrases are
/// found across line breaks of a comment and across adjacent literals. Code spans of Markdown are
/// not read, so that a page can name banned words. Letters of another script than English are found
/// in all of a page.
[[nodiscard]] std::vector<std::string> check_wording(const std::vector<SourceFile>& files);

}  // namespace kernbench::docs
