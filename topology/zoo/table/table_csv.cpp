// SPDX-License-Identifier: Apache-2.0
// Reader of the CSV that `topology zoo --routes` writes: a line for each hop of each route.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "common/numbers.hpp"
#include "common/utf8.hpp"
#include "topology/zoo/table/node_finder.hpp"
#include "topology/zoo/table/routing_table.hpp"

namespace kernbench::topology::zoo {

using common::in_quotes;

namespace {

struct Cell {
  std::string text;
  std::size_t offset = 0;
};

class TableCsvReader {
 public:
  TableCsvReader(std::string_view text, const BaseTopology& topology, ImportReport& report)
      : text_(text),
        topology_(topology),
        report_(report),
        nodes_(topology),
        header_(topology.has_parallel_channels() ? "src,dst,step,from,to,vc,lane"
                                                 : "src,dst,step,from,to,vc"),
        cells_(topology.has_parallel_channels() ? 7 : 6),
        builder_(topology, report) {}

  RoutingTable read() {
    const std::size_t end = std::min(text_.find('\n'), text_.size());
    std::string_view head = text_.substr(0, end);
    if (head.ends_with('\r')) head.remove_suffix(1);
    if (head != header_) {
      report_.error(0, fmt::format("the header must be '{}', not {}", header_, in_quotes(head)));
      return {};
    }
    at_ = std::min(end + 1, text_.size());
    while (at_ < text_.size() && !report_.full()) read_row();
    end_route();
    return builder_.finish(0);
  }

 private:
  /// The route whose hops are read.
  struct Route {
    std::uint32_t src = 0;
    std::uint32_t dst = 0;
    std::size_t offset = 0;
    std::vector<PlacedHop> hops;
    std::size_t rows = 0;
    bool broken = false;  ///< an error of it is reported
  };

  /// Returns the cells of the next row and advances past it. A cell in quotes may have commas, ends
  /// of lines, and quotes that are doubled.
  std::vector<Cell> next_cells() {
    std::vector<Cell> cells(1);
    cells.back().offset = at_;
    bool quoted = false;
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (quoted && c == '"' && text_.substr(at_ + 1).starts_with('"')) {
        cells.back().text += text_[at_++];
      } else if (c == '"' && (quoted || at_ == cells.back().offset)) {
        quoted = !quoted;
      } else if (!quoted && c == ',') {
        cells.push_back({{}, at_ + 1});
      } else if (!quoted && c == '\n') {
        break;
      } else {
        cells.back().text += c;
      }
    }
    if (quoted) report_.error(cells.back().offset, "a quote that is not closed");
    at_ = std::min(at_ + 1, text_.size());
    if (!quoted && cells.back().text.ends_with('\r')) cells.back().text.pop_back();
    return cells;
  }

  std::optional<std::uint32_t> node(const Cell& cell, std::string_view what) {
    const auto number = nodes_.find(cell.text);
    if (!number) {
      report_.error(cell.offset, fmt::format("'{}' must be {}, not {}", what, nodes_.expected(),
                                             in_quotes(cell.text)));
    }
    return number;
  }

  std::optional<std::uint32_t> number(const Cell& cell, std::string_view what, std::uint32_t most) {
    const auto value = common::parse_u64(cell.text);
    if (value && *value <= most) return static_cast<std::uint32_t>(*value);
    report_.error(cell.offset, fmt::format("'{}' must be an integer from 0 to {}, not {}", what,
                                           most, in_quotes(cell.text)));
    return std::nullopt;
  }

  void read_row() {
    const std::size_t line = at_;
    const std::vector<Cell> cells = next_cells();
    if (cells.size() != cells_) {
      report_.error(line, fmt::format("a line must hold {} cells, '{}', not {}", cells_, header_,
                                      cells.size()));
      return lose_row();
    }
    const auto src = node(cells[0], "src");
    const auto dst = node(cells[1], "dst");
    const auto step = number(cells[2], "step", kMaxChannels);
    if (!src || !dst || !step) return lose_row();
    if (*step == 0 || *src != route_.src || *dst != route_.dst || route_.rows == 0) {
      end_route();
      route_ = {*src, *dst, line, {}, 0, false};
    }
    if (*step != route_.rows && !route_.broken) {
      report_.error(cells[2].offset,
                    fmt::format("the step of this hop must be {}, not {}", route_.rows, *step),
                    "the hops of a route follow each other, from step 0");
      route_.broken = true;
    }
    ++route_.rows;
    read_hop(cells, line);
  }

  /// Notes a row that may be of any route.
  void lose_row() {
    route_.broken = true;
    builder_.add_unknown();
  }

  void read_hop(const std::vector<Cell>& cells, std::size_t line) {
    const auto from = node(cells[3], "from");
    const auto to = node(cells[4], "to");
    const auto vc = number(cells[5], "vc", kMaxTableVcs - 1);
    if (!from || !to || !vc) {
      route_.broken = true;
      return;
    }
    const auto channel = topology_.find_channel(*from, *to);
    if (!channel) {
      report_.error(cells[3].offset,
                    fmt::format("no channel leads from {} to {}", topology_.node_name(*from),
                                topology_.node_name(*to)));
      route_.broken = true;
      return;
    }
    std::uint32_t lane = 0;
    if (cells_ > 6) {
      const auto last = static_cast<std::uint32_t>(parallel_to(*channel) - 1);
      const auto given = number(cells[6], "lane", last);
      if (!given) {
        route_.broken = true;
        return;
      }
      lane = *given;
    }
    route_.hops.push_back({{*channel + lane, *vc}, line});
  }

  /// Returns the number of channels between the same nodes as this one, the first of them.
  [[nodiscard]] std::ptrdiff_t parallel_to(std::uint32_t channel) const {
    const std::vector<Channel>& all = topology_.channels();
    const auto same = [&](const Channel& other) { return other == all[channel]; };
    return std::find_if_not(all.begin() + channel, all.end(), same) - (all.begin() + channel);
  }

  void end_route() {
    if (route_.rows == 0) return;
    if (route_.broken) {
      builder_.add_broken(route_.src, route_.dst);
    } else {
      builder_.add(route_.src, route_.dst, route_.offset, route_.hops);
    }
    route_ = {};
  }

  std::string_view text_;
  const BaseTopology& topology_;
  ImportReport& report_;
  NodeFinder nodes_;
  std::string_view header_;
  std::size_t cells_;
  TableBuilder builder_;
  std::size_t at_ = 0;
  Route route_;
};

}  // namespace

RoutingTable read_table_csv(std::string_view text, const BaseTopology& topology,
                            ImportReport& report) {
  return TableCsvReader(text, topology, report).read();
}

}  // namespace kernbench::topology::zoo
