// SPDX-License-Identifier: Apache-2.0
#include "topology/exchange/import_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

namespace kernbench::topology {

void ImportReport::index_lines() {
  if (!line_starts_.empty()) return;
  line_starts_.push_back(0);
  for (std::size_t at = text_.find('\n'); at != std::string_view::npos;
       at = text_.find('\n', at + 1)) {
    line_starts_.push_back(at + 1);
  }
}

std::pair<unsigned, unsigned> ImportReport::place_of(std::size_t offset) {
  index_lines();
  const auto after = std::upper_bound(line_starts_.begin(), line_starts_.end(), offset);
  const auto line = static_cast<unsigned>(after - line_starts_.begin());
  return {line, static_cast<unsigned>(offset - line_starts_[line - 1] + 1)};
}

void ImportReport::error(std::size_t offset, std::string message, std::string hint) {
  if (full()) return;
  if (errors_++ == 0) diagnostics_.add_source(file_, text_);
  const auto [line, column] = place_of(offset);
  diagnostics_.error({file_, line, column}, std::move(message), std::move(hint));
  if (full()) diagnostics_.error({file_}, "too many errors; the rest of the file is not checked");
}

void ImportReport::error(std::string message) {
  if (full()) return;
  ++errors_;
  diagnostics_.error({file_}, std::move(message));
}

void EdgeCollector::add(std::uint32_t from, std::uint32_t to, std::size_t offset) {
  if (from == to) {
    report_.error(offset, fmt::format("an edge must not lead from node {} to itself", from));
  } else {
    edges_.push_back({from, to, offset});
  }
}

std::vector<std::pair<std::uint32_t, std::uint32_t>> EdgeCollector::finish() {
  std::vector<std::size_t> order(edges_.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::tuple(edges_[a].from, edges_[a].to, a) <
           std::tuple(edges_[b].from, edges_[b].to, b);
  });
  std::size_t first = 0;  // first of the edges that join the same two nodes
  for (std::size_t i = 1; i < order.size() && !report_.full(); ++i) {
    const PlacedEdge& edge = edges_[order[i]];
    const PlacedEdge& same = edges_[order[first]];
    if (std::pair(same.from, same.to) != std::pair(edge.from, edge.to)) {
      first = i;
      continue;
    }
    report_.error(edge.offset,
                  fmt::format("the edge {} -> {} appears twice; the first is in line {}", edge.from,
                              edge.to, report_.line_of(same.offset)));
  }
  std::vector<std::pair<std::uint32_t, std::uint32_t>> result;
  result.reserve(edges_.size());
  for (const PlacedEdge& edge : edges_) result.emplace_back(edge.from, edge.to);
  return result;
}

}  // namespace kernbench::topology
