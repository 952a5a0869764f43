// SPDX-License-Identifier: Apache-2.0
#include "topology/zoo/zoo_spec.hpp"

#include <fmt/format.h>

#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

#include "common/form_reader.hpp"
#include "common/places.hpp"
#include "common/text_file.hpp"
#include "topology/exchange/edge_list_import.hpp"
#include "topology/zoo/base/custom_topology.hpp"
#include "topology/zoo/base/hierarchical_topology.hpp"
#include "topology/zoo/base/terminal_router.hpp"
#include "topology/zoo/routing/routing_kind.hpp"
#include "topology/zoo/table/routing_table.hpp"
#include "topology/zoo/zoo_form.hpp"
#include "topology/zoo/zoo_kinds.hpp"
#include "topology/zoo/zoo_text.hpp"

namespace kernbench::topology::zoo {

using common::Diagnostics;

namespace {

/// Builds a topology from a file whose form has been read. Returns null for a topology with errors,
/// which are reported; topologies that contain it are not built.
class Builder {
 public:
  /// Relative file names in the spec start from `folder`.
  Builder(common::Input<ZooFile>& file, std::filesystem::path folder, Diagnostics& diagnostics,
          std::vector<std::string>* notes)
      : file_(file), folder_(std::move(folder)), diagnostics_(diagnostics), notes_(notes) {}

  /// Builds the topology under a key, at nesting depth `depth`.
  [[nodiscard]] NewTopology build(const ZooPart& part, const std::string& key,
                                  std::uint32_t depth) {
    if (depth >= kMaxNesting) {
      file_.error(key, fmt::format("topologies are nested more than {} deep", kMaxNesting));
      return nullptr;
    }
    const bool is_sound = file_.places().sound({key});
    const std::size_t errors = diagnostics_.size();
    try {
      NewTopology topology = build_kind(part, key, depth, is_sound);
      return is_sound && diagnostics_.size() == errors ? topology : nullptr;
    } catch (const std::invalid_argument& error) {
      file_.error(key, error.what());
      return nullptr;
    }
  }

 private:
  [[nodiscard]] NewTopology build_kind(const ZooPart& part, const std::string& key,
                                       std::uint32_t depth, bool is_sound) {
    switch (part.kind == nullptr ? KindShape::Sized : part.kind->shape) {
      case KindShape::Sized: {
        if (!is_sound) return nullptr;
        std::vector<std::uint32_t> sizes;
        for (const SizeParameter& size : part.kind->sizes)
          sizes.push_back(part.sizes.at(std::string(size.key)));
        return part.kind->make(sizes);
      }
      case KindShape::Terminal:
        return build_terminal(part, key, depth);
      case KindShape::Hierarchical:
        return build_hierarchical(part, key, depth, is_sound);
      case KindShape::Custom:
        if (!is_sound) return nullptr;
        return part.edges_from.empty() ? build_custom(part, key) : build_imported(part, key);
    }
    throw std::logic_error("a kind without a shape");
  }

  [[nodiscard]] NewTopology build_imported(const ZooPart& part, const std::string& key) {
    const std::size_t errors = diagnostics_.size();
    const ImportedGraph graph = import_edge_list(folder_ / part.edges_from, diagnostics_, notes_);
    if (diagnostics_.size() != errors) return nullptr;
    std::vector<Channel> edges;
    edges.reserve(graph.edges.size());
    for (std::size_t i = 0; i < graph.edges.size(); ++i) {
      edges.push_back({graph.edges[i].first, graph.edges[i].second,
                       graph.stages.empty() ? std::nullopt : stages_of(graph.stages[i])});
    }
    if (!has_items_of(part, key, graph.nodes)) return nullptr;
    return std::make_shared<CustomTopology>(
        graph.nodes, std::move(edges), part.names.empty() ? graph.names : part.names,
        part.endpoints.empty() ? graph.endpoints : part.endpoints, part.partial,
        CustomTopology::SameEdges::AreParallel);
  }

  /// Returns whether the lists of names and endpoints are empty or have an item for each node, and
  /// reports what is wrong with them.
  [[nodiscard]] bool has_items_of(const ZooPart& part, const std::string& key,
                                  std::uint32_t nodes) {
    bool sound = true;
    for (std::size_t i = 0; i < part.endpoints.size(); ++i) {
      sound &= file_.check_within(fmt::format("{}.endpoints[{}]", key, i), part.endpoints[i], 0,
                                  kMaxEndpoints);
    }
    const auto check_size = [&](std::string_view name, std::size_t items) {
      if (items == 0 || items == nodes) return;
      sound = false;
      file_.error(
          fmt::format("{}.{}", key, name),
          fmt::format("'{}' must have {} items, one for each node, not {}", name, nodes, items));
    };
    check_size("names", part.names.size());
    check_size("endpoints", part.endpoints.size());
    return sound;
  }

  [[nodiscard]] static std::optional<std::uint8_t> stages_of(std::uint32_t stages) {
    return static_cast<std::uint8_t>(stages);
  }

  /// Returns whether the list of stages is empty or has an item for each edge, and reports what is
  /// wrong with it.
  [[nodiscard]] bool has_sound_stages(const ZooPart& part, const std::string& key) {
    bool sound = true;
    for (std::size_t i = 0; i < part.stages.size(); ++i) {
      sound &= file_.check_within(fmt::format("{}.stages[{}]", key, i), part.stages[i], 0,
                                  kMaxImportStages);
    }
    if (!part.stages.empty() && part.stages.size() != part.edges.size()) {
      sound = false;
      file_.error(key + ".stages", fmt::format("'stages' must have {} items, one for each of the "
                                               "edges, not {}",
                                               part.edges.size(), part.stages.size()));
    }
    return sound;
  }

  [[nodiscard]] NewTopology build_custom(const ZooPart& part, const std::string& key) {
    const std::uint32_t n = part.sizes.at("n");
    std::vector<Channel> edges;
    std::set<Channel> seen;
    bool is_sound = has_items_of(part, key, n) && has_sound_stages(part, key);
    for (std::size_t i = 0; i < part.edges.size(); ++i) {
      const Channel edge{part.edges[i][0], part.edges[i][1],
                         i < part.stages.size() ? stages_of(part.stages[i]) : std::nullopt};
      const std::string place = fmt::format("{}.edges[{}]", key, i);
      for (std::size_t end = 0; end < 2; ++end) {
        is_sound &=
            file_.check_within(fmt::format("{}[{}]", place, end), part.edges[i].at(end), 0, n - 1);
      }
      const bool is_twice = !seen.insert(edge).second;
      if (is_sound && (edge.src == edge.dst || is_twice)) {
        is_sound = false;
        file_.error(place, fmt::format("edge {} {}", channel_name(edge),
                                       is_twice ? "is given twice" : "leads to itself"));
      }
      edges.push_back(edge);
    }
    if (!is_sound) return nullptr;
    return std::make_shared<CustomTopology>(n, std::move(edges), part.names, part.endpoints,
                                            part.partial);
  }

  [[nodiscard]] NewTopology build_terminal(const ZooPart& part, const std::string& key,
                                           std::uint32_t depth) {
    if (part.base == nullptr) return nullptr;
    NewTopology base = build(*part.base, key + ".base", depth + 1);
    return base ? std::make_shared<TerminalRouter>(std::move(base)) : nullptr;
  }

  [[nodiscard]] NewTopology build_hierarchical(const ZooPart& part, const std::string& key,
                                               std::uint32_t depth, bool is_sound) {
    TopologyPtr base = part.base ? build(*part.base, key + ".base", depth + 1) : nullptr;
    std::vector<HierarchicalSubTopology> children;
    for (std::size_t i = 0; i < part.children.size(); ++i) {
      const ZooChild& given = part.children[i];
      const std::string place = fmt::format("{}.children[{}]", key, i);
      HierarchicalSubTopology& child = children.emplace_back();
      if (given.topology) child.topology = build(*given.topology, place + ".topology", depth + 1);
      child.base_node = given.base_node;
      child.child_node = given.child_node;
      is_sound = is_sound && base && child.topology;
      if (base) {
        file_.check_within(place + ".base_node", child.base_node, 0, base->n_nodes() - 1);
      }
      if (child.topology) {
        file_.check_within(place + ".child_node", child.child_node, 0,
                           child.topology->n_nodes() - 1);
      }
    }
    if (!is_sound || !base || !diagnostics_.empty()) return nullptr;
    return std::make_shared<HierarchicalTopology>(std::move(base), std::move(children));
  }

  common::Input<ZooFile>& file_;
  std::filesystem::path folder_;
  Diagnostics& diagnostics_;
  std::vector<std::string>* notes_;
};

/// Gives a topology the relation that its file names, or reports why that cannot route it.
void set_routing(BaseTopology& topology, common::Input<ZooFile>& file) {
  const RoutingKind* const kind = find_routing(file->routing);
  if (kind == nullptr) return;  // reported
  try {
    (void)kind->make(topology);
    topology.set_own_routing(kind->make);
  } catch (const std::invalid_argument& error) {
    file.error("routing", error.what());
  }
}

}  // namespace

TopologyPtr parse_zoo_spec(std::string_view text, const std::string& name,
                           const std::filesystem::path& folder, std::vector<std::string>* notes) {
  Diagnostics diagnostics;
  const common::YamlDocument document = common::YamlDocument::parse(text, name, diagnostics);
  common::Input<ZooFile> file(document.root(), diagnostics);
  NewTopology topology;
  if (file->topology) {
    topology = Builder(file, folder, diagnostics, notes).build(*file->topology, "topology", 0);
  }
  if (topology && !file->routes.empty()) {
    auto table = read_routing_table(folder / file->routes, file->routes, *topology, diagnostics);
    topology->set_own_routing([table = std::move(table)](const BaseTopology& routed) {
      return std::make_unique<TableRouting>(routed, table);
    });
  }
  if (topology && !file->routing.empty()) set_routing(*topology, file);
  diagnostics.throw_if_any();
  return topology;
}

TopologyPtr load_zoo_spec(const std::filesystem::path& path, std::vector<std::string>* notes) {
  return parse_zoo_spec(common::read_text_file(path), path.string(), path.parent_path(), notes);
}

bool is_zoo_file(std::string_view text) {
  return text.ends_with(".yaml") || text.ends_with(".yml");
}

TopologyPtr open_topology(const std::string& text_or_file, std::vector<std::string>* notes,
                          const std::filesystem::path& folder) {
  return is_zoo_file(text_or_file)
             ? load_zoo_spec(folder / common::expand_home(text_or_file), notes)
             : parse_zoo_text(text_or_file);
}

}  // namespace kernbench::topology::zoo
