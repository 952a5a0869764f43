// SPDX-License-Identifier: Apache-2.0
#include "plot/palette.hpp"

#include <fmt/format.h>

#include <array>

namespace kernbench::plot {

namespace {

// Blue, vermillion, bluish green and reddish purple of Okabe and Ito's scheme, made darker for the
// light ground and lighter for the dark one: their contrast is 3 or more.
constexpr std::array<std::uint32_t, kPaletteSize> kLightColours = {0x0b6aa8, 0xc2500a, 0x0b8a68,
                                                                   0xa2478a};
constexpr std::array<std::uint32_t, kPaletteSize> kDarkColours = {0x58b4ec, 0xf0924e, 0x3fc79f,
                                                                  0xdd8fc8};
constexpr std::array kMarkers = {MarkerShape::Square, MarkerShape::Diamond, MarkerShape::TriangleUp,
                                 MarkerShape::TriangleDown};

}  // namespace

std::vector<SeriesColour> palette() {
  std::vector<SeriesColour> colours;
  for (unsigned i = 0; i < kPaletteSize; ++i) {
    colours.push_back({palette_style(i).css_class, kLightColours.at(i), kDarkColours.at(i)});
  }
  return colours;
}

SeriesStyle palette_style(unsigned index, bool variant) {
  const unsigned colour = index % kPaletteSize;
  return {.css_class = fmt::format("s{}", colour),
          .marker = kMarkers.at(colour),
          .marker_radius = 4.2,
          .dashed = variant,
          .hollow = variant};
}

}  // namespace kernbench::plot
