// SPDX-License-Identifier: Apache-2.0
#include "topology/zoo/table/routing_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "common/hash.hpp"
#include "common/text_file.hpp"
#include "topology/zoo/routing/hop_distances.hpp"

namespace kernbench::topology::zoo {

std::uint64_t RoutingTable::key(std::uint32_t at, std::optional<Hop> in, std::uint32_t dst) const {
  // Injected packets come first, then those of each virtual channel of each channel.
  const std::uint64_t input =
      in ? nodes + std::uint64_t{in->channel} * kMaxTableVcs + in->vc : std::uint64_t{at};
  return input * nodes + dst;
}

const RoutingTable::Entry* RoutingTable::find(std::uint32_t at, std::optional<Hop> in,
                                              std::uint32_t dst) const {
  const auto found = entries.find(key(at, in, dst));
  return found == entries.end() ? nullptr : &found->second;
}

TableRouting::TableRouting(const BaseTopology& topology, std::shared_ptr<const RoutingTable> table)
    : RoutingRelation(topology), table_(std::move(table)) {}

std::string TableRouting::name() const {
  return fmt::format("table {} ({})", table_->file, table_->hash);
}

std::vector<Hop> TableRouting::next(std::uint32_t at, std::optional<Hop> in,
                                    std::uint32_t dst) const {
  const RoutingTable::Entry* const entry = table_->find(at, in, dst);
  return entry == nullptr ? std::vector<Hop>{} : std::vector<Hop>{entry->hop};
}

std::string TableRouting::place_of(const Hop& in, const Hop& next) const {
  const std::uint32_t at = topology().channels()[in.channel].dst;
  for (std::uint32_t dst = 0; dst < topology().n_nodes(); ++dst) {
    const RoutingTable::Entry* const entry = table_->find(at, in, dst);
    if (entry != nullptr && entry->hop == next) {
      return fmt::format("{}:{}:{}", table_->file, entry->line, entry->column);
    }
  }
  return {};
}

TableBuilder::TableBuilder(const BaseTopology& topology, ImportReport& report)
    : topology_(topology), report_(report) {
  table_.nodes = topology.n_nodes();
}

void TableBuilder::add(std::uint32_t src, std::uint32_t dst, std::size_t offset,
                       std::span<const PlacedHop> hops) {
  const auto [first, is_new] = seen_.try_emplace(pair(src, dst), offset);
  if (!is_new) {
    report_.error(offset, fmt::format("a second route from {} to {}; the first is in line {}",
                                      topology_.node_name(src), topology_.node_name(dst),
                                      report_.line_of(first->second)));
    return;
  }
  if (!is_whole(src, dst, offset, hops)) return;
  std::optional<Hop> in;
  for (const PlacedHop& next : hops) {
    const auto [line, column] = report_.place_of(next.offset);
    const auto [known, is_first] = table_.entries.try_emplace(
        table_.key(src, in, dst), RoutingTable::Entry{next.hop, line, column});
    const RoutingTable::Entry& entry = known->second;
    if (!is_first && entry.hop != next.hop) {
      report_.error(
          next.offset,
          fmt::format("after {} packets to {} take {} here and {} in line {}",
                      hop_name(topology_, *in), topology_.node_name(dst),
                      hop_name(topology_, next.hop), hop_name(topology_, entry.hop), entry.line),
          "a table has one hop for each input, virtual channel and destination");
      return;
    }
    highest_vc_ = std::max(highest_vc_, next.hop.vc);
    in = next.hop;
  }
}

bool TableBuilder::is_whole(std::uint32_t src, std::uint32_t dst, std::size_t offset,
                            std::span<const PlacedHop> hops) {
  const std::string route =
      fmt::format("the route from {} to {}", topology_.node_name(src), topology_.node_name(dst));
  if (src == dst) {
    report_.error(offset, fmt::format("a route from node {} to itself", topology_.node_name(src)));
    return false;
  }
  for (const std::uint32_t end : {src, dst}) {
    if (topology_.endpoints(end) > 0) continue;
    report_.error(offset,
                  fmt::format("{}: node {} has no endpoint", route, topology_.node_name(end)));
    return false;
  }
  std::uint32_t at = src;
  for (const PlacedHop& next : hops) {
    const Channel& channel = topology_.channels()[next.hop.channel];
    if (at == dst) {
      report_.error(next.offset, fmt::format("{} has arrived before this hop", route));
      return false;
    }
    if (channel.src != at) {
      report_.error(next.offset,
                    fmt::format("{} is at node {} here, not at {}", route, topology_.node_name(at),
                                topology_.node_name(channel.src)));
      return false;
    }
    at = channel.dst;
  }
  if (at == dst) return true;
  report_.error(hops.empty() ? offset : hops.back().offset,
                fmt::format("{} ends at node {}", route, topology_.node_name(at)));
  return false;
}

void TableBuilder::report_missing() {
  const HopDistances distances(topology_);
  for (std::uint32_t src = 0; src < topology_.n_nodes(); ++src) {
    for (std::uint32_t dst = 0; dst < topology_.n_nodes(); ++dst) {
      if (!topology_.is_pair(src, dst) || seen_.contains(pair(src, dst))) continue;
      if (distances.hops(src, dst) == HopDistances::kUnreachable) continue;
      report_.error(fmt::format("no route from {} to {}, which channels join",
                                topology_.node_name(src), topology_.node_name(dst)));
    }
  }
}

RoutingTable TableBuilder::finish(std::uint32_t vcs) {
  if (!has_unknown_) report_missing();
  table_.vcs = vcs == 0 ? highest_vc_ + 1 : vcs;
  return std::move(table_);
}

std::shared_ptr<const RoutingTable> read_routing_table(const std::filesystem::path& path,
                                                       const std::string& name,
                                                       const BaseTopology& topology,
                                                       common::Diagnostics& diagnostics) {
  if (topology.n_nodes() > kMaxRoutedNodes) {
    diagnostics.error({path.string()},
                      fmt::format("{} has {} nodes; a table routes at most {}", topology.name(),
                                  topology.n_nodes(), kMaxRoutedNodes));
    return nullptr;
  }
  const std::string ending = path.extension().string();
  if (ending != ".csv" && ending != ".json") {
    diagnostics.error({path.string()}, "a table of routes must be a .csv or a .json file");
    return nullptr;
  }
  std::string text;
  try {
    text = common::read_text_file(path);
  } catch (const common::BadInput& e) {
    for (const common::Diagnostic& error : e.diagnostics().errors()) {
      diagnostics.error(error.position, error.message, error.hint);
    }
    return nullptr;
  }
  ImportReport report(text, path.string(), diagnostics);
  auto table =
      std::make_shared<RoutingTable>(ending == ".csv" ? read_table_csv(text, topology, report)
                                                      : read_table_json(text, topology, report));
  table->file = name;
  table->hash = common::hex64(common::hash_bytes(text));
  return report.failed() ? nullptr : table;
}

}  // namespace kernbench::topology::zoo
