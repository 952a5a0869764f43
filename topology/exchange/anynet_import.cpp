// SPDX-License-Identifier: Apache-2.0
// Reader of the network files of BookSim2's anynet.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "common/numbers.hpp"
#include "common/utf8.hpp"
#include "topology/exchange/edge_list_import.hpp"
#include "topology/exchange/import_report.hpp"

namespace kernbench::topology {

using common::in_quotes;

namespace {

class AnynetReader {
 public:
  AnynetReader(std::string_view text, ImportReport& report) : text_(text), report_(report) {}

  ImportedGraph read() {
    for (std::size_t at = 0; at < text_.size() && !report_.full();) {
      const std::size_t end = std::min(text_.find('\n', at), text_.size());
      read_line(at, end);
      at = end + 1;
    }
    return finish();
  }

  void add_notes(std::vector<std::string>& notes) const {
    if (latencies_ > 0) {
      notes.push_back(
          fmt::format("{}: {} above 1 {} ignored; every channel is alike", report_.file(),
                      latencies_ == 1 ? "1 latency" : fmt::format("{} latencies", latencies_),
                      latencies_ == 1 ? "is" : "are"));
    }
    const bool ascends =
        std::ranges::is_sorted(nodes_, {}, [](const auto& node) { return node.second.router; });
    if (!ascends) {
      notes.push_back(
          fmt::format("{}: nodes become endpoints in the order of their routers, not of "
                      "their numbers",
                      report_.file()));
    }
  }

 private:
  struct Word {
    std::string_view text;
    std::size_t offset = 0;
  };
  /// A router or a node that a line names.
  struct Place {
    bool is_router = false;
    std::uint32_t number = 0;
    std::size_t offset = 0;
  };
  /// The router of a node, and where that is said.
  struct Attachment {
    std::uint32_t router = 0;
    std::size_t offset = 0;
  };

  /// Returns the words between `at` and `end`.
  [[nodiscard]] std::vector<Word> words(std::size_t at, std::size_t end) const {
    std::vector<Word> found;
    while (at < end) {
      const std::size_t start = std::min(text_.find_first_not_of(" \t\r", at), end);
      at = std::min(text_.find_first_of(" \t\r", start), end);
      if (start < at) found.push_back({text_.substr(start, at - start), start});
    }
    return found;
  }

  void read_line(std::size_t at, std::size_t end) {
    const std::vector<Word> line = words(at, end);
    std::size_t next = 0;
    const std::optional<Place> head = read_place(line, next);
    while (head && next < line.size() && !report_.full()) {
      const std::optional<Place> other = read_place(line, next);
      if (!other) return;
      join(*head, *other);
      if (next == line.size() || line[next].text == "router" || line[next].text == "node") continue;
      const auto latency = common::parse_u64(line[next].text);
      if (!latency || *latency == 0) {
        report_.error(line[next].offset,
                      fmt::format("expected 'router', 'node' or a latency of 1 or more, not {}",
                                  in_quotes(line[next].text)));
        return;
      }
      if (*latency > 1) ++latencies_;
      ++next;
    }
    if (head && line.size() == 2) note_place(*head);
  }

  /// Reads `router N` or `node N` at `next`, and advances past it.
  std::optional<Place> read_place(const std::vector<Word>& line, std::size_t& next) {
    if (next == line.size()) return std::nullopt;  // an empty line
    const Word& kind = line[next++];
    if (kind.text != "router" && kind.text != "node") {
      report_.error(kind.offset,
                    fmt::format("expected 'router' or 'node', not {}", in_quotes(kind.text)));
      return std::nullopt;
    }
    if (next == line.size()) {
      report_.error(kind.offset, fmt::format("'{}' needs a number", kind.text));
      return std::nullopt;
    }
    const Word& word = line[next++];
    const auto number = common::parse_u64(word.text);
    if (!number || *number >= kMaxImportNodes) {
      report_.error(word.offset,
                    fmt::format("the number of a {} must be an integer from 0 to {}, not {}",
                                kind.text, kMaxImportNodes - 1, in_quotes(word.text)));
      return std::nullopt;
    }
    return Place{kind.text == "router", static_cast<std::uint32_t>(*number), kind.offset};
  }

  void note_place(const Place& place) {
    if (place.is_router) routers_.try_emplace(place.number, place.offset);
  }

  void join(const Place& a, const Place& b) {
    note_place(a);
    note_place(b);
    if (!a.is_router && !b.is_router) {
      report_.error(b.offset,
                    fmt::format("node {} must be joined to a router, not to a node", a.number));
    } else if (a.is_router && b.is_router) {
      if (a.number == b.number) {
        report_.error(b.offset, fmt::format("router {} is joined to itself", a.number));
      } else {
        add(a.number, b.number);
        add(b.number, a.number);
      }
    } else {
      attach(a.is_router ? b.number : a.number, {a.is_router ? a.number : b.number, b.offset});
    }
  }

  void attach(std::uint32_t node, const Attachment& attachment) {
    const auto [first, is_new] = nodes_.try_emplace(node, attachment);
    if (is_new || first->second.router == attachment.router) return;
    report_.error(attachment.offset,
                  fmt::format("node {} is already at router {}, in line {}", node,
                              first->second.router, report_.line_of(first->second.offset)));
  }

  void add(std::uint32_t from, std::uint32_t to) {
    if (seen_.emplace(from, to).second) edges_.emplace_back(from, to);
  }

  /// Reports the numbers that are left out below the largest one.
  template <typename Numbered>
  void require_all(const Numbered& numbered, std::string_view what) {
    std::uint32_t expected = 0;
    for (const auto& [number, place] : numbered) {
      if (number > expected) {
        report_.error(offset_of(place),
                      number == expected + 1
                          ? fmt::format("there is no {} {} before this one", what, expected)
                          : fmt::format("there are no {}s {} to {} before this one", what, expected,
                                        number - 1));
      }
      expected = number + 1;
    }
  }
  static std::size_t offset_of(std::size_t offset) { return offset; }
  static std::size_t offset_of(const Attachment& attachment) { return attachment.offset; }

  ImportedGraph finish() {
    require_all(routers_, "router");
    require_all(nodes_, "node");
    if (!report_.failed() && edges_.empty()) report_.error("the graph has no edges");
    if (report_.failed()) return {};
    ImportedGraph graph;
    graph.nodes = static_cast<std::uint32_t>(routers_.size());
    graph.edges = std::move(edges_);
    graph.endpoints.assign(graph.nodes, 0);
    for (const auto& [node, attachment] : nodes_) ++graph.endpoints[attachment.router];
    return graph;
  }

  std::string_view text_;
  ImportReport& report_;
  std::map<std::uint32_t, std::size_t> routers_;  ///< place of the first mention, by number
  std::map<std::uint32_t, Attachment> nodes_;     ///< by number
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges_;
  std::set<std::pair<std::uint32_t, std::uint32_t>> seen_;
  std::size_t latencies_ = 0;  ///< above 1
};

}  // namespace

ImportedGraph import_anynet(std::string_view text, const std::string& file,
                            common::Diagnostics& diagnostics, std::vector<std::string>* notes) {
  ImportReport report(text, file, diagnostics);
  AnynetReader reader(text, report);
  ImportedGraph graph = reader.read();
  if (report.failed()) return {};
  if (notes != nullptr) reader.add_notes(*notes);
  return graph;
}

}  // namespace kernbench::topology
