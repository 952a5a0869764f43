// SPDX-License-Identifier: Apache-2.0
#include "cli/line/old_spellings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace kernbench::cli {
namespace {

/// An option that has become an argument of its command.
struct OldOption {
  std::string_view command;  ///< last word of its name
  std::string_view name;     ///< the command as messages name it
  std::string_view option;
};
constexpr std::array kOldOptions = {
    OldOption{"run", "run", "--bench"},
    OldOption{"record", "kernel record", "--bench"},
};

/// Returns the old option that a word spells, with or without "=VALUE", behind its command.
const OldOption* old_option(std::string_view word, const Words& before) {
  const auto* const found =
      std::find_if(kOldOptions.begin(), kOldOptions.end(), [&](const OldOption& one) {
        return word.substr(0, word.find('=')) == one.option &&
               std::find(before.begin(), before.end(), one.command) != before.end();
      });
  return found == kOldOptions.end() ? nullptr : found;
}

}  // namespace

Respelled with_new_spellings(const Words& words) {
  Respelled out;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const OldOption* const old = old_option(words[i], out.words);
    const std::size_t equals = words[i].find('=');
    if (old == nullptr || (equals == std::string::npos && i + 1 == words.size())) {
      out.words.push_back(words[i]);
      continue;
    }
    const std::string value =
        equals == std::string::npos ? words[++i] : words[i].substr(equals + 1);
    out.notes.push_back(
        fmt::format("'{0} {1} {2}' is '{0} {2}' now; the old spelling works until 0.4", old->name,
                    old->option, value));
    out.words.push_back(value);
  }
  return out;
}

}  // namespace kernbench::cli
