// SPDX-License-Identifier: Apache-2.0
#include "plot/text_width.hpp"

#include <algorithm>

namespace kernbench::plot {

double text_width(std::string_view text, double font_px) {
  // Widths in DejaVu Sans, in font sizes; few fonts are wider.
  constexpr double kUsual = 0.62;
  constexpr double kWide = 0.98;
  constexpr double kNarrow = 0.42;
  double usual = 0;
  double by_character = 0;
  for (const char c : text) {
    if ((static_cast<unsigned char>(c) & 0xc0U) == 0x80U) continue;  // UTF-8 continuation byte
    const bool wide = std::string_view("mwMW@%").find(c) != std::string_view::npos;
    const bool narrow = std::string_view("ijlrtfI.,:;|!' ()[]").find(c) != std::string_view::npos;
    usual += kUsual;
    by_character += wide ? kWide : narrow ? kNarrow : kUsual + 0.02;
  }
  return std::max(usual, by_character) * font_px;
}

}  // namespace kernbench::plot
