// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/diagnostics.hpp"
#include "topology/exchange/edge_list_import.hpp"

namespace kernbench::topology {

/// Errors of one imported file, at byte offsets.
class ImportReport {
 public:
  /// `text` must outlive the report.
  ImportReport(std::string_view text, std::string file, common::Diagnostics& diagnostics)
      : text_(text), file_(std::move(file)), diagnostics_(diagnostics) {}

  void error(std::size_t offset, std::string message, std::string hint = {});
  /// Reports an error of the file as a whole.
  void error(std::string message);

  [[nodiscard]] bool failed() const { return errors_ > 0; }
  /// Returns true when no further errors are reported; the reader then stops.
  [[nodiscard]] bool full() const { return errors_ >= kMaxErrors; }
  [[nodiscard]] const std::string& file() const { return file_; }
  [[nodiscard]] unsigned line_of(std::size_t offset) { return place_of(offset).first; }
  /// Returns line and column of a byte.
  [[nodiscard]] std::pair<unsigned, unsigned> place_of(std::size_t offset);

 private:
  static constexpr std::size_t kMaxErrors = 200;

  void index_lines();

  std::string_view text_;
  std::string file_;
  common::Diagnostics& diagnostics_;
  std::size_t errors_ = 0;
  std::vector<std::size_t> line_starts_;  ///< filled on first use
};

/// Edges of a graph under construction, each with its place in the file.
class EdgeCollector {
 public:
  explicit EdgeCollector(ImportReport& report) : report_(report) {}

  [[nodiscard]] std::size_t size() const { return edges_.size(); }
  /// Adds an edge; reports an edge from a node to itself.
  void add(std::uint32_t from, std::uint32_t to, std::size_t offset);
  /// Returns the edges in the order of addition, after reporting duplicates.
  [[nodiscard]] std::vector<std::pair<std::uint32_t, std::uint32_t>> finish();

 private:
  struct PlacedEdge {
    std::uint32_t from;
    std::uint32_t to;
    std::size_t offset;
  };

  ImportReport& report_;
  std::vector<PlacedEdge> edges_;
};

}  // namespace kernbench::topology
