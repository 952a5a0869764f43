// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

namespace kernbench::sim {

/// Returns the number of words that follow an option of another simulator, 0 or 1, if the option
/// says how to run or to print and cannot change the design. Returns nothing for any other option.
/// `next` is the word that follows; it decides where an option may stand alone.
[[nodiscard]] std::optional<unsigned> words_after_ignored(std::string_view option,
                                                          std::string_view next);

}  // namespace kernbench::sim
