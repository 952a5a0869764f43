// SPDX-License-Identifier: Apache-2.0
#include "page_code.hpp"

#include <algorithm>

namespace kernbench::docs {

std::vector<PageCode> code_of(std::string_view page) {
  std::vector<PageCode> code;
  bool fenced = false;
  unsigned number = 0;
  for (std::size_t begin = 0; begin < page.size();) {
    const std::size_t end = std::min(page.find('\n', begin), page.size());
    const std::string_view line = page.substr(begin, end - begin);
    begin = end + 1;
    ++number;
    if (line.starts_with("```")) {
      fenced = !fenced;
    } else if (fenced || line.starts_with("    ")) {
      const std::size_t first = std::min(line.find_first_not_of(' '), line.size());
      code.push_back({PageCode::Kind::Block, number, std::string(line.substr(first))});
    } else {
      for (auto open = line.find('`'); open != std::string_view::npos;
           open = line.find('`', open)) {
        const auto close = line.find('`', open + 1);
        if (close == std::string_view::npos) break;
        code.push_back(
            {PageCode::Kind::Span, number, std::string(line.substr(open + 1, close - open - 1))});
        open = close + 1;
      }
    }
  }
  return code;
}

}  // namespace kernbench::docs
