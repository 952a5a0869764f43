// SPDX-License-Identifier: Apache-2.0
#include "topology/zoo/zoo_spec.hpp"

#include <fmt/format.h>

#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

#include "common/text_file.hpp"
#include "common/yaml_reader.hpp"
#include "topology/exchange/edge_list_import.hpp"
#include "topology/zoo/base/custom_topology.hpp"
#include "topology/zoo/base/hierarchical_topology.hpp"
#include "topology/zoo/base/terminal_router.hpp"
#include "topology/zoo/zoo_kinds.hpp"

namespace kernbench::topology::zoo {

using common::Diagnostics;
using common::YamlDocument;
using common::YamlMap;
using common::YamlNode;

namespace {

/// Reads a topology and its parts. Returns null for a topology with errors, which are reported;
/// topologies that contain it are not built.
class SpecReader {
 public:
  /// Relative file names in the spec start from `folder`.
  SpecReader(std::filesystem::path folder, Diagnostics& diagnostics,
             std::vector<std::string>* notes)
      : folder_(std::move(folder)), diagnostics_(diagnostics), notes_(notes) {}

  /// Reads a topology at nesting depth `depth`.
  [[nodiscard]] TopologyPtr read(const YamlNode& node, std::uint32_t depth);

 private:
  [[nodiscard]] TopologyPtr read_kind(YamlMap& map, const ZooKind& kind, std::uint32_t depth);
  [[nodiscard]] TopologyPtr read_sized(YamlMap& map, const ZooKind& kind);
  [[nodiscard]] TopologyPtr read_custom(YamlMap& map);
  [[nodiscard]] TopologyPtr read_imported(YamlMap& map);
  [[nodiscard]] TopologyPtr read_terminal(YamlMap& map, std::uint32_t depth);
  [[nodiscard]] TopologyPtr read_hierarchical(YamlMap& map, std::uint32_t depth);
  [[nodiscard]] TopologyPtr read_part(YamlMap& map, std::string_view key, std::uint32_t depth);

  std::filesystem::path folder_;
  Diagnostics& diagnostics_;
  std::vector<std::string>* notes_;
};

TopologyPtr SpecReader::read(const YamlNode& node, std::uint32_t depth) {
  if (depth >= kMaxNesting) {
    node.error(fmt::format("topologies are nested more than {} deep", kMaxNesting));
    return nullptr;
  }
  const std::size_t errors_before = diagnostics_.size();
  YamlMap map(node);
  const std::size_t kind = map.one_of("kind", zoo_kind_names());
  if (diagnostics_.size() != errors_before) {
    (void)map.entries();  // without a kind, no key can be judged unknown
    return nullptr;
  }
  try {
    TopologyPtr topology = read_kind(map, zoo_kinds()[kind], depth);
    map.finish();
    return diagnostics_.size() == errors_before ? topology : nullptr;
  } catch (const std::invalid_argument& error) {
    node.error(error.what());
    return nullptr;
  }
}

TopologyPtr SpecReader::read_kind(YamlMap& map, const ZooKind& kind, std::uint32_t depth) {
  switch (kind.shape) {
    case KindShape::Sized:
      return read_sized(map, kind);
    case KindShape::Terminal:
      return read_terminal(map, depth);
    case KindShape::Hierarchical:
      return read_hierarchical(map, depth);
    case KindShape::Custom:
      return read_custom(map);
  }
  throw std::logic_error("a kind without a shape");
}

TopologyPtr SpecReader::read_sized(YamlMap& map, const ZooKind& kind) {
  const std::size_t errors_before = diagnostics_.size();
  std::vector<std::uint32_t> sizes;
  for (const SizeParameter& size : kind.sizes) {
    sizes.push_back(map.u32(size.key, {.min = size.least, .max = kMaxNodes}));
  }
  if (diagnostics_.size() != errors_before) return nullptr;
  return kind.make(sizes);
}

TopologyPtr SpecReader::read_imported(YamlMap& map) {
  const std::size_t errors_before = diagnostics_.size();
  for (const char* key : {"n", "edges"}) {
    if (!map.node(key)) continue;
    map.error(key, fmt::format("'{}' cannot be combined with 'edges_from'", key),
              "the file defines the number of nodes and all edges");
  }
  const std::string file = map.string("edges_from");
  if (diagnostics_.size() != errors_before) return nullptr;
  const ImportedGraph graph = import_edge_list(folder_ / file, diagnostics_, notes_);
  if (diagnostics_.size() != errors_before) return nullptr;
  std::vector<Channel> edges;
  edges.reserve(graph.edges.size());
  for (const auto& [src, dst] : graph.edges) edges.push_back({src, dst});
  return std::make_shared<const CustomTopology>(graph.nodes, std::move(edges), graph.names);
}

TopologyPtr SpecReader::read_custom(YamlMap& map) {
  if (map.has("edges_from")) return read_imported(map);
  const std::size_t errors_before = diagnostics_.size();
  const std::uint32_t n = map.u32("n", {.min = 1, .max = kMaxNodes});
  if (diagnostics_.size() != errors_before) {
    (void)map.node("edges");  // a known key, but not checked without `n`
    return nullptr;
  }
  std::vector<Channel> edges;
  std::set<Channel> seen;
  for (const YamlNode& item : map.list("edges", {.min = 0, .max = kMaxChannels})) {
    const std::vector<YamlNode> ends = item.list({.min = 2, .max = 2});
    if (ends.size() != 2) continue;
    const Channel edge{ends[0].u32({.min = 0, .max = n - 1}),
                       ends[1].u32({.min = 0, .max = n - 1})};
    if (edge.src == edge.dst && diagnostics_.size() == errors_before) {
      item.error(fmt::format("edge {} leads to itself", channel_name(edge)));
    } else if (!seen.insert(edge).second && diagnostics_.size() == errors_before) {
      item.error(fmt::format("edge {} is given twice", channel_name(edge)));
    }
    edges.push_back(edge);
  }
  if (diagnostics_.size() != errors_before) return nullptr;
  return std::make_shared<const CustomTopology>(n, std::move(edges));
}

TopologyPtr SpecReader::read_part(YamlMap& map, std::string_view key, std::uint32_t depth) {
  const auto node = map.node(key);
  if (!node) {
    map.error(key, fmt::format("missing key '{}'", key), "it must be a topology: {kind: ...}");
    return nullptr;
  }
  return read(*node, depth + 1);
}

TopologyPtr SpecReader::read_terminal(YamlMap& map, std::uint32_t depth) {
  TopologyPtr base = read_part(map, "base", depth);
  if (!base) return nullptr;
  return std::make_shared<const TerminalRouter>(std::move(base));
}

TopologyPtr SpecReader::read_hierarchical(YamlMap& map, std::uint32_t depth) {
  const std::size_t errors_before = diagnostics_.size();
  TopologyPtr base = read_part(map, "base", depth);
  const std::uint32_t base_nodes = base ? base->n_nodes() : kMaxNodes;
  std::vector<HierarchicalSubTopology> children;
  for (const YamlNode& item : map.list("children")) {
    YamlMap entry(item);
    HierarchicalSubTopology child;
    child.topology = read_part(entry, "topology", depth);
    const std::uint32_t child_nodes = child.topology ? child.topology->n_nodes() : kMaxNodes;
    child.base_node = entry.u32("base_node", {.min = 0, .max = base_nodes - 1});
    child.child_node = entry.u32("child_node", {.min = 0, .max = child_nodes - 1});
    children.push_back(std::move(child));
  }
  if (diagnostics_.size() != errors_before) return nullptr;
  return std::make_shared<const HierarchicalTopology>(std::move(base), std::move(children));
}

}  // namespace

TopologyPtr parse_zoo_spec(std::string_view text, const std::string& name,
                           const std::filesystem::path& folder, std::vector<std::string>* notes) {
  Diagnostics diagnostics;
  const YamlDocument document = YamlDocument::parse(text, name, diagnostics);
  TopologyPtr topology;
  {
    YamlMap root(document.root());
    const auto node = root.node("topology");
    if (node) {
      topology = SpecReader(folder, diagnostics, notes).read(*node, 0);
    } else {
      root.error("topology", "missing key 'topology'", "it must be a map: {kind: ...}");
    }
  }
  diagnostics.throw_if_any();
  return topology;
}

TopologyPtr load_zoo_spec(const std::filesystem::path& path, std::vector<std::string>* notes) {
  return parse_zoo_spec(common::read_text_file(path), path.string(), path.parent_path(), notes);
}

}  // namespace kernbench::topology::zoo
