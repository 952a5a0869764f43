// SPDX-License-Identifier: Apache-2.0
#include "topology/zoo/zoo_form.hpp"

#include <algorithm>
#include <utility>

#include "common/description.hpp"
#include "topology/zoo/base/base_topology.hpp"
#include "topology/zoo/routing/routing_kind.hpp"

namespace kernbench::topology::zoo {
namespace {

std::vector<std::string> names_of_shape(KindShape shape) {
  std::vector<std::string> names;
  for (const ZooKind& kind : zoo_kinds()) {
    if (kind.shape == shape) names.emplace_back(kind.name);
  }
  return names;
}

std::vector<std::string> texts_of(const std::vector<std::string_view>& names) {
  return {names.begin(), names.end()};
}

/// Returns the kinds that have a size with this least value, for each size in turn.
std::vector<std::pair<SizeParameter, std::vector<std::string>>> kinds_by_size() {
  std::vector<std::pair<SizeParameter, std::vector<std::string>>> all;
  const auto add = [&all](const SizeParameter& size, std::string_view kind) {
    auto found = std::find_if(all.begin(), all.end(), [&](const auto& one) {
      return one.first.key == size.key && one.first.least == size.least;
    });
    if (found == all.end()) found = all.insert(all.end(), {size, {}});
    found->second.emplace_back(kind);
  };
  for (const ZooKind& kind : zoo_kinds()) {
    for (const SizeParameter& size : kind.sizes) add(size, kind.name);
  }
  return all;
}

}  // namespace

const common::InputKind kZooFile = {
    .name = "zoo",
    .title = "A base topology of kernbench topology zoo and kernbench traffic (YAML)",
    .form = common::form_of<ZooFile>};

}  // namespace kernbench::topology::zoo

namespace kernbench::common {

using namespace std::string_literals;
using topology::zoo::KindShape;
using topology::zoo::ZooChild;
using topology::zoo::ZooFile;
using topology::zoo::ZooKind;
using topology::zoo::ZooPart;

namespace {

/// Adds a size, in topologies of these kinds.
void add_size(Description<ZooPart>& all, const std::string& key, std::uint32_t least,
              const std::vector<std::string>& kinds) {
  all.add_converted(
         key,
         [key](const ZooPart& part) {
           const auto found = part.sizes.find(key);
           return found == part.sizes.end() ? std::nullopt : std::optional(found->second);
         },
         [key](ZooPart& part, std::optional<std::uint32_t> size) {
           part.sizes[key] = size.value_or(0);
         })
      .within(least, topology::zoo::kMaxNodes)
      .only_if("kind", kinds);
}

Description<ZooPart> describe_part() {
  Description<ZooPart> all;
  all.add_converted(
         "kind",
         [](const ZooPart& part) {
           return part.kind == nullptr ? ""s : std::string(part.kind->name);
         },
         [](ZooPart& part, const std::string& name) {
           for (const ZooKind& kind : topology::zoo::zoo_kinds()) {
             if (kind.name == name) part.kind = &kind;
           }
         })
      .one_of(topology::zoo::texts_of(topology::zoo::zoo_kind_names()));
  for (const auto& [size, kinds] : topology::zoo::kinds_by_size()) {
    add_size(all, std::string(size.key), size.least, kinds);
  }
  const std::vector<std::string> custom = topology::zoo::names_of_shape(KindShape::Custom);
  const std::vector<std::string> layered = topology::zoo::names_of_shape(KindShape::Hierarchical);
  std::vector<std::string> based = topology::zoo::names_of_shape(KindShape::Terminal);
  based.insert(based.end(), layered.begin(), layered.end());
  add_size(all, "n", 1, custom);
  all.defaults_to("the nodes of `edges_from`")
      .add("edges", &ZooPart::edges, "source and destination of each channel")
      .at_most(topology::zoo::kMaxChannels)
      .optional()
      .only_if("kind", custom)
      .add("stages", &ZooPart::stages,
           "register stages of each of the `edges` in RTL, in their order; by default those that "
           "the RTL has for all links")
      .at_most(topology::zoo::kMaxChannels)
      .optional()
      .only_if("kind", custom)
      .add("edges_from", &ZooPart::edges_from,
           "CSV, GraphML or BookSim's anynet; its path is relative to this file")
      .optional()
      .only_if("kind", custom)
      .add("names", &ZooPart::names,
           "of the nodes, in their order; by default those of the file of `edges_from`, or numbers")
      .at_most(topology::zoo::kMaxNodes)
      .different()
      .optional()
      .only_if("kind", custom)
      .add("endpoints", &ZooPart::endpoints,
           "number at each node, which are sources and destinations if it is not 0; one at each by "
           "default, or what the file of `edges_from` has")
      .at_most(topology::zoo::kMaxNodes)
      .optional()
      .only_if("kind", custom)
      .add("partial", &ZooPart::partial, "nodes do not have to reach each other")
      .optional()
      .only_if("kind", custom)
      .add("base", &ZooPart::base)
      .only_if("kind", based)
      .add("children", &ZooPart::children)
      .only_if("kind", layered);
  for (const std::string& kind : custom) {
    all.either_if("kind", kind, {"edges_from", "edges"})
        .either_if("kind", kind, {"edges_from", "n"});
  }
  return all;
}

}  // namespace

template <>
const Description<ZooPart>& description_of() {
  static const Description<ZooPart> kAll = describe_part();
  return kAll;
}

template <>
const Description<ZooChild>& description_of() {
  static const auto kAll = Description<ZooChild>()
                               .add("base_node", &ZooChild::base_node)
                               .add("child_node", &ZooChild::child_node)
                               .add("topology", &ZooChild::topology);
  return kAll;
}

template <>
const Description<ZooFile>& description_of() {
  static const auto kAll =
      Description<ZooFile>()
          .add("topology", &ZooFile::topology)
          .add("routes", &ZooFile::routes,
               "CSV or JSON in the forms of `topology zoo --routes` and `-o`, "
               "in place of the routes "
               "of the kind; its path is relative to this file")
          .optional()
          .add("routing", &ZooFile::routing,
               "relation of `kernbench topology zoo`, in place of that of the kind")
          .one_of(topology::zoo::texts_of(topology::zoo::routing_kind_names()))
          .optional()
          .at_most_one("routes", "routing");
  return kAll;
}

}  // namespace kernbench::common
