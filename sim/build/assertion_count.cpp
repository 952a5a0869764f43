// SPDX-License-Identifier: Apache-2.0
#include "sim/build/assertion_count.hpp"

#include <cctype>
#include <cstddef>

namespace kernbench::sim {
namespace {

bool is_part_of_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$';
}

}  // namespace

AssertionCount count_assertions(std::string_view preprocessed) {
  AssertionCount count;
  for (std::size_t at = 0; at < preprocessed.size();) {
    if (preprocessed[at] == '"') {
      for (++at; at < preprocessed.size() && preprocessed[at] != '"'; ++at) {
        if (preprocessed[at] == '\\') ++at;
      }
      ++at;
    } else if (is_part_of_word(preprocessed[at])) {
      const std::size_t start = at;
      while (at < preprocessed.size() && is_part_of_word(preprocessed[at])) ++at;
      const std::string_view word = preprocessed.substr(start, at - start);
      if (word == "assert" || word == "assume") ++count.assertions;
      if (word == "unique" || word == "unique0" || word == "priority") ++count.unique;
    } else {
      ++at;
    }
  }
  return count;
}

}  // namespace kernbench::sim
