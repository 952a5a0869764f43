// SPDX-License-Identifier: Apache-2.0
#include "farm/heat_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <optional>
#include <utility>

#include "farm/chart_axes.hpp"
#include "farm/quantity.hpp"
#include "plot/axis.hpp"
#include "plot/geometry.hpp"
#include "plot/svg_canvas.hpp"
#include "plot/text_width.hpp"

namespace kernbench::farm {
namespace {

constexpr std::size_t kMostValues = 16;
constexpr plot::SizePx kCell = {62, 26};
constexpr plot::SizePx kScale = {24, 10};  // of each colour in the legend
constexpr double kMargin = 10;
constexpr double kAboveCells = 52;
constexpr double kBelowCells = 84;

// From light to dark on a light ground, and the other way round on a dark one.
constexpr std::uint32_t kLightColours[] = {0xeaf2fa, 0xc9dff1, 0x9cc6e4,
                                           0x68a8d4, 0x3c87c0, 0x1f66a5};
constexpr std::uint32_t kDarkColours[] = {0x16283a, 0x1b3d5c, 0x23557f,
                                          0x3173a6, 0x5096c8, 0x7fb8e2};
constexpr std::size_t kColours = std::size(kLightColours);
// Cells of these colours have light text on a light ground, and dark text on a dark one.
constexpr std::size_t kFirstStrong = 4;

/// Returns the values of an effect in rising order if they are numbers.
std::vector<std::string> ordered_values(const Effect& effect) {
  std::vector<std::size_t> order(effect.values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (!effect.places.empty()) {
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return effect.places[a] < effect.places[b];
    });
  }
  std::vector<std::string> values;
  values.reserve(order.size());
  for (const std::size_t i : order) values.push_back(effect.values[i]);
  return values;
}

/// The rows of a cell.
struct Cell {
  double sum = 0;
  std::size_t rows = 0;

  [[nodiscard]] double mean() const { return sum / static_cast<double>(rows); }
};

/// Draws a heat map from the means of its cells.
class HeatMap {
 public:
  HeatMap(const Table& table, const Effect& across, const Effect& along)
      : table_(table),
        across_(across),
        along_(along),
        columns_(ordered_values(across)),
        lines_(ordered_values(along)),
        cells_(lines_.size(), std::vector<Cell>(columns_.size())) {
    for (const Row& row : table.rows) {
      const auto number = number_of(row.targets[across.target]);
      if (row.outcome != common::Outcome::Pass || !number || !place_of(row)) continue;
      const auto [x, y] = *place_of(row);
      cells_[y][x].sum += *number;
      ++cells_[y][x].rows;
    }
    for (const auto& line : cells_) {
      for (const Cell& cell : line) {
        if (cell.rows != 0) range_.add(cell.mean());
      }
    }
    quantity_ = quantity_of(target(), std::max(std::abs(range_.low), std::abs(range_.high)));
    for (const std::string& line : lines_) {
      left_ = std::max(left_, 2 * kMargin + plot::text_width(line, plot::kTextPx));
    }
    bottom_ = kAboveCells + kCell.h * static_cast<double>(lines_.size());
  }

  [[nodiscard]] bool can_be_read() const {
    return columns_.size() <= kMostValues && lines_.size() <= kMostValues && !range_.empty();
  }

  [[nodiscard]] std::string svg(std::optional<std::size_t> best, const std::string& style) const {
    const double height = bottom_ + kBelowCells;
    plot::SvgCanvas canvas(
        width(), height,
        fmt::format("{} over {} and {}", target().name, across_name(), along_name()), style);
    canvas.text(kMargin, 18, quantity_.label, {"heading"}, plot::TextAnchor::Start);
    draw_axes(canvas);
    for (std::size_t y = 0; y < lines_.size(); ++y) {
      for (std::size_t x = 0; x < columns_.size(); ++x) draw_cell(canvas, x, y);
    }
    const auto framed = best ? place_of(table_.rows[*best]) : std::nullopt;
    if (framed) {
      const plot::PointPx at = corner(framed->first, framed->second);
      canvas.rect(at.x, at.y, kCell.w, kCell.h, {"best"});
    }
    draw_legend(canvas, height - 22, framed.has_value());
    return std::move(canvas).finish();
  }

 private:
  [[nodiscard]] const Target& target() const { return table_.targets[across_.target]; }
  [[nodiscard]] const std::string& across_name() const {
    return table_.parameters[across_.parameter];
  }
  [[nodiscard]] const std::string& along_name() const {
    return table_.parameters[along_.parameter];
  }

  /// Returns the column and the line of a row; nothing if its values are in a group.
  [[nodiscard]] std::optional<std::pair<std::size_t, std::size_t>> place_of(const Row& row) const {
    const auto x = std::ranges::find(columns_, row.parameters[across_.parameter]);
    const auto y = std::ranges::find(lines_, row.parameters[along_.parameter]);
    if (x == columns_.end() || y == lines_.end()) return std::nullopt;
    return std::pair(static_cast<std::size_t>(x - columns_.begin()),
                     static_cast<std::size_t>(y - lines_.begin()));
  }

  /// Returns the upper left corner of a cell. The last line stands at the top, as on an axis.
  [[nodiscard]] plot::PointPx corner(std::size_t x, std::size_t y) const {
    return {left_ + kCell.w * static_cast<double>(x),
            bottom_ - kCell.h * static_cast<double>(y + 1)};
  }

  [[nodiscard]] double width() const {
    const auto of_text = [](const std::string& text) {
      return plot::text_width(text, plot::kTextPx) + 2 * kMargin;
    };
    const double cells = kCell.w * static_cast<double>(columns_.size());
    constexpr double kTextsOfLegend = 190;
    return std::max({left_ + cells + kMargin,
                     left_ + kScale.w * static_cast<double>(kColours) + kTextsOfLegend,
                     of_text(along_name()), 1.1 * of_text(quantity_.label),
                     left_ + cells / 2 + of_text(across_name()) / 2});
  }

  [[nodiscard]] std::string shown(double value) const {
    return fmt::format("{:.4g}", value / quantity_.unit);
  }

  void draw_axes(plot::SvgCanvas& canvas) const {
    canvas.text(kMargin, kAboveCells - 12, along_name(), {"soft"}, plot::TextAnchor::Start);
    for (std::size_t y = 0; y < lines_.size(); ++y) {
      canvas.text(left_ - 8, corner(0, y).y + kCell.h / 2 + 4, lines_[y], {"soft"},
                  plot::TextAnchor::End);
    }
    for (std::size_t x = 0; x < columns_.size(); ++x) {
      canvas.text(corner(x, 0).x + kCell.w / 2, bottom_ + 18, shortened(columns_[x], kCell.w - 4),
                  {"soft"});
    }
    canvas.text(left_ + kCell.w * static_cast<double>(columns_.size()) / 2, bottom_ + 38,
                across_name(), {"soft"});
  }

  void draw_cell(plot::SvgCanvas& canvas, std::size_t x, std::size_t y) const {
    const Cell& cell = cells_[y][x];
    if (cell.rows == 0) return;
    const double span = range_.high - range_.low;
    const double share = span == 0 ? 0.0 : (cell.mean() - range_.low) / span;
    const std::size_t colour =
        std::min(kColours - 1, static_cast<std::size_t>(share * static_cast<double>(kColours)));
    const plot::PointPx at = corner(x, y);
    const std::string tooltip =
        fmt::format("{}={}, {}={}: {}{}", across_name(), columns_[x], along_name(), lines_[y],
                    cell.rows == 1 ? "" : fmt::format("mean of {} rows ", cell.rows),
                    quantity_text(target(), cell.mean()));
    canvas.rect(at.x, at.y, kCell.w, kCell.h, {fmt::format("cell heat{}", colour), tooltip});
    canvas.text(at.x + kCell.w / 2, at.y + kCell.h / 2 + 4, shown(cell.mean()),
                {colour >= kFirstStrong ? "strong" : ""});
  }

  void draw_legend(plot::SvgCanvas& canvas, double top, bool has_best) const {
    const auto write = [&](double at, const std::string& text) {
      canvas.text(at, top + kScale.h, text, {"soft"}, plot::TextAnchor::Start);
      return at + plot::text_width(text, plot::kTextPx);
    };
    double at = write(left_, shown(range_.low)) + 6;
    for (std::size_t i = 0; i < kColours; ++i, at += kScale.w) {
      canvas.rect(at, top, kScale.w, kScale.h, {fmt::format("cell heat{}", i)});
    }
    at = write(at + 6, shown(range_.high)) + 16;
    if (!has_best) return;
    canvas.rect(at, top - 1, kScale.w, kScale.h + 2, {"best"});
    write(at + kScale.w + 6, "the best");
  }

  const Table& table_;
  const Effect& across_;
  const Effect& along_;
  std::vector<std::string> columns_;
  std::vector<std::string> lines_;
  std::vector<std::vector<Cell>> cells_;  ///< by line, then column
  plot::Range range_;
  Quantity quantity_;
  double left_ = 0;
  double bottom_ = 0;
};

}  // namespace

std::vector<plot::SeriesColour> heat_colours() {
  std::vector<plot::SeriesColour> colours;
  for (std::size_t i = 0; i < kColours; ++i) {
    colours.push_back({fmt::format("heat{}", i), kLightColours[i], kDarkColours[i]});
  }
  return colours;
}

std::string heat_map(const Table& table, const Effect& across, const Effect& along,
                     std::optional<std::size_t> best, const std::string& style) {
  const HeatMap map(table, across, along);
  return map.can_be_read() ? map.svg(best, style) : "";
}

}  // namespace kernbench::farm
