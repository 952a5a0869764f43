// SPDX-License-Identifier: Apache-2.0
// Reader of CSV edge lists.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "common/numbers.hpp"
#include "common/utf8.hpp"
#include "topology/exchange/edge_list_import.hpp"
#include "topology/exchange/import_report.hpp"

namespace kernbench::topology {

using common::in_quotes;

namespace {

constexpr std::string_view kHeader = "src,dst";
constexpr std::string_view kStagesHeader = "src,dst,stages";
constexpr std::string_view kNodesLine = "# nodes: ";
constexpr std::string_view kEndpointsLine = "# endpoints: ";
constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

class CsvReader {
 public:
  CsvReader(std::string_view text, ImportReport& report)
      : text_(text), report_(report), edges_(report) {}

  ImportedGraph read() {
    if (text_.starts_with(kByteOrderMark)) {
      report_.error(0, "the file starts with a byte-order mark", "save it as UTF-8 without one");
      at_ = kByteOrderMark.size();
    }
    read_head();
    while (at_ < text_.size() && !report_.full()) read_row();
    ImportedGraph graph;
    graph.nodes = nodes_.value_or(highest_ ? *highest_ + 1 : 0);
    graph.edges = edges_.finish();
    graph.endpoints = std::move(endpoints_);
    graph.stages = std::move(stages_);
    if (!report_.failed() && graph.edges.empty()) report_.error("the graph has no edges");
    return graph;
  }

 private:
  /// Returns the next line without its end and advances at_ past it.
  std::string_view next_line() {
    line_at_ = at_;
    const std::size_t end = std::min(text_.find('\n', at_), text_.size());
    std::string_view line = text_.substr(at_, end - at_);
    at_ = std::min(end + 1, text_.size());
    if (line.ends_with('\r')) line.remove_suffix(1);
    return line;
  }

  void read_head() {
    if (at_ == text_.size()) {
      report_.error("the file is empty: expected the header 'src,dst'");
      return;
    }
    std::string_view line = next_line();
    if (line.starts_with('#')) {
      read_node_count(line);
      line = next_line();
    }
    if (nodes_ && line.starts_with(kEndpointsLine)) {
      read_endpoints(line);
      line = next_line();
    }
    has_stages_ = line == kStagesHeader;
    if (line == kHeader || has_stages_) return;
    report_.error(line_at_, fmt::format("the header must be 'src,dst', not {}", in_quotes(line)));
    if (line.find_first_of("0123456789") == 0) at_ = line_at_;  // no header: read it as a row
  }

  void read_node_count(std::string_view line) {
    std::optional<std::uint64_t> count;
    if (line.starts_with(kNodesLine)) count = decimal(line.substr(kNodesLine.size()));
    if (!count) {
      report_.error(line_at_, fmt::format("expected '# nodes: N' or the header 'src,dst', not {}",
                                          in_quotes(line)));
    } else if (*count == 0 || *count > kMaxImportNodes) {
      report_.error(line_at_ + kNodesLine.size(),
                    fmt::format("the number of nodes must be an integer from 1 to {}, not {}",
                                kMaxImportNodes, *count));
    } else {
      nodes_ = static_cast<std::uint32_t>(*count);
    }
  }

  void read_endpoints(std::string_view line) {
    std::size_t at = kEndpointsLine.size();
    while (at <= line.size()) {
      const std::size_t end = std::min(line.find(',', at), line.size());
      const auto number =
          limited(line.substr(at, end - at), line_at_ + at, "endpoints", kMaxImportEndpoints);
      if (!number) return;
      endpoints_.push_back(*number);
      at = end + 1;
    }
    if (endpoints_.size() == *nodes_) return;
    report_.error(line_at_, fmt::format("'# endpoints:' must have {} numbers, one for each node, "
                                        "not {}",
                                        *nodes_, endpoints_.size()));
  }

  void read_row() {
    const std::string_view line = next_line();
    const std::string_view form = has_stages_ ? kStagesHeader : kHeader;
    if (line.empty()) {
      report_.error(line_at_, fmt::format("an empty line; every line must be '{}'", form));
      return;
    }
    const auto commas = std::count(line.begin(), line.end(), ',');
    if (commas != (has_stages_ ? 2 : 1)) {
      report_.error(line_at_,
                    fmt::format("a line must hold {}, '{}', not {}: {}",
                                has_stages_ ? "2 node numbers and the register stages of the edge"
                                            : "2 node numbers",
                                form, commas + 1, in_quotes(line)));
      return;
    }
    const std::size_t comma = line.find(',');
    const std::size_t end = std::min(line.find(',', comma + 1), line.size());
    const auto from = node_number(line.substr(0, comma), line_at_);
    const auto to = node_number(line.substr(comma + 1, end - comma - 1), line_at_ + comma + 1);
    if (!from || !to) return;
    if (has_stages_) {
      const auto stages =
          limited(line.substr(end + 1), line_at_ + end + 1, "register stages", kMaxImportStages);
      if (!stages) return;
      stages_.push_back(*stages);
    }
    if (edges_.size() == kMaxImportEdges) {
      report_.error(line_at_, fmt::format("more than {} edges", kMaxImportEdges));
      at_ = text_.size();
      return;
    }
    highest_ = std::max({highest_.value_or(0), *from, *to});
    edges_.add(*from, *to, line_at_);
  }

  std::optional<std::uint32_t> node_number(std::string_view text, std::size_t offset) {
    const std::uint32_t count = nodes_.value_or(kMaxImportNodes);
    const std::optional<std::uint64_t> number = decimal(text);
    if (number && *number < count) return static_cast<std::uint32_t>(*number);
    report_.error(offset, fmt::format("a node must be an integer from 0 to {}, not {}", count - 1,
                                      in_quotes(text)));
    return std::nullopt;
  }

  /// Returns a number up to `most`, or reports that these are not so many `things`.
  std::optional<std::uint32_t> limited(std::string_view text, std::size_t offset,
                                       std::string_view things, std::uint32_t most) {
    const std::optional<std::uint64_t> number = decimal(text);
    if (number && *number <= most) return static_cast<std::uint32_t>(*number);
    report_.error(offset, fmt::format("{} must be an integer from 0 to {}, not {}", things, most,
                                      in_quotes(text)));
    return std::nullopt;
  }

  static std::optional<std::uint64_t> decimal(std::string_view text) {
    if (text.find_first_not_of("0123456789") != std::string_view::npos) return std::nullopt;
    return common::parse_u64(text);
  }

  std::string_view text_;
  ImportReport& report_;
  EdgeCollector edges_;
  std::size_t at_ = 0;
  std::size_t line_at_ = 0;               ///< start of the current line
  std::optional<std::uint32_t> nodes_;    ///< from the line '# nodes: N'
  std::vector<std::uint32_t> endpoints_;  ///< from the line '# endpoints: '
  std::vector<std::uint32_t> stages_;     ///< stages of each edge; empty without their column
  bool has_stages_ = false;
  std::optional<std::uint32_t> highest_;  ///< highest node number so far
};

}  // namespace

ImportedGraph import_csv(std::string_view text, const std::string& file,
                         common::Diagnostics& diagnostics) {
  ImportReport report(text, file, diagnostics);
  ImportedGraph graph = CsvReader(text, report).read();
  return report.failed() ? ImportedGraph{} : graph;
}

}  // namespace kernbench::topology
