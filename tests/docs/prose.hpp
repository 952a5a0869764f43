// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "repository_text.hpp"

namespace kernbench::docs {

/// A word or a punctuation mark, and its line, counted from 1.
struct ProseWord {
  std::string text;
  unsigned line = 0;
};

/// A run of prose: one comment, one string literal with the literals that follow it directly, or
/// one paragraph of a page.
struct Passage {
  enum class Kind { Comment, FieldComment, Literal, Page };
  Kind kind = Kind::Page;
  std::vector<ProseWord> words;
};

/// Returns what people read in a source file or page, in its order.
[[nodiscard]] std::vector<Passage> prose_of(const SourceFile& file);

}  // namespace kernbench::docs
