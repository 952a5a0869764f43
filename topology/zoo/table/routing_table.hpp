// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "common/diagnostics.hpp"
#include "topology/exchange/import_report.hpp"
#include "topology/zoo/routing/routing_relation.hpp"

namespace kernbench::topology::zoo {

/// Largest number of virtual channels in a table.
inline constexpr std::uint32_t kMaxTableVcs = 64;

/// The next hop of packets by input, virtual channel and destination, as a file gives it.
class RoutingTable {
 public:
  struct Entry {
    Hop hop;
    unsigned line = 0;  ///< in the file
    unsigned column = 0;
  };

  /// Returns the entry of a packet at node `at` that arrived through `in` or was injected there, or
  /// null.
  [[nodiscard]] const Entry* find(std::uint32_t at, std::optional<Hop> in, std::uint32_t dst) const;

  std::string file;  ///< name, as messages have it
  std::string hash;  ///< hash of the file
  std::uint32_t nodes = 0;
  std::uint32_t vcs = 1;
  std::unordered_map<std::uint64_t, Entry> entries;  ///< by key()

  [[nodiscard]] std::uint64_t key(std::uint32_t at, std::optional<Hop> in, std::uint32_t dst) const;
};

/// Routes by a table. Deadlock-free only if the check finds it so.
class TableRouting : public RoutingRelation {
 public:
  TableRouting(const BaseTopology& topology, std::shared_ptr<const RoutingTable> table);

  [[nodiscard]] std::string name() const override;
  [[nodiscard]] std::uint32_t n_vcs() const override { return table_->vcs; }
  [[nodiscard]] std::vector<Hop> next(std::uint32_t at, std::optional<Hop> in,
                                      std::uint32_t dst) const override;
  [[nodiscard]] std::string place_of(const Hop& in, const Hop& next) const override;

 private:
  std::shared_ptr<const RoutingTable> table_;
};

/// A hop of a route and its place in the file.
struct PlacedHop {
  Hop hop;
  std::size_t offset = 0;
};

/// Makes a table of the routes of pairs of nodes, and reports what is wrong with them.
class TableBuilder {
 public:
  TableBuilder(const BaseTopology& topology, ImportReport& report);

  /// Adds the route of a pair. Its hops are on channels that exist.
  void add(std::uint32_t src, std::uint32_t dst, std::size_t offset,
           std::span<const PlacedHop> hops);
  /// Notes a pair whose route has errors that are reported.
  void add_broken(std::uint32_t src, std::uint32_t dst) { seen_.try_emplace(pair(src, dst), 0); }
  /// Notes a route whose pair is not known, because of errors that are reported. Any pair without a
  /// route may be the one.
  void add_unknown() { has_unknown_ = true; }
  /// Returns the table after reporting pairs without a route. `vcs`: 0 for one more than the
  /// largest virtual channel in use.
  [[nodiscard]] RoutingTable finish(std::uint32_t vcs);

 private:
  [[nodiscard]] std::uint64_t pair(std::uint32_t src, std::uint32_t dst) const {
    return std::uint64_t{src} * topology_.n_nodes() + dst;
  }
  [[nodiscard]] bool is_whole(std::uint32_t src, std::uint32_t dst, std::size_t offset,
                              std::span<const PlacedHop> hops);
  void report_missing();

  const BaseTopology& topology_;
  ImportReport& report_;
  RoutingTable table_;
  std::unordered_map<std::uint64_t, std::size_t> seen_;  ///< offset of the route of each pair
  std::uint32_t highest_vc_ = 0;
  bool has_unknown_ = false;
};

/// Reads a table for a topology from a file: `.csv` as `topology zoo --routes` writes it, or
/// `.json` as `topology zoo -o` does. Adds all errors to `diagnostics`, with file, line and column;
/// the result is then null. `name` is what reports call the file.
[[nodiscard]] std::shared_ptr<const RoutingTable> read_routing_table(
    const std::filesystem::path& path, const std::string& name, const BaseTopology& topology,
    common::Diagnostics& diagnostics);

// The forms of a table in a text.
[[nodiscard]] RoutingTable read_table_csv(std::string_view text, const BaseTopology& topology,
                                          ImportReport& report);
[[nodiscard]] RoutingTable read_table_json(std::string_view text, const BaseTopology& topology,
                                           ImportReport& report);

}  // namespace kernbench::topology::zoo
