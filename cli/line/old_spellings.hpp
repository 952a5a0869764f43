// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/line/variable.hpp"

namespace kernbench::cli {

/// The words of a command line, and what to say about old spellings among them.
struct Respelled {
  Words words;
  std::vector<std::string> notes;  ///< one for each old spelling
};

/// Replaces the spellings of the release before, which work for one release more, by those of
/// today. `words` are those behind the name of the program.
[[nodiscard]] Respelled with_new_spellings(const Words& words);

}  // namespace kernbench::cli
