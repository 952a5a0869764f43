// SPDX-License-Identifier: Apache-2.0
#include "topology/exchange/graphml_graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "common/utf8.hpp"

namespace kernbench::topology {

using common::in_quotes;

namespace {

/// Returns whether an id says no more than a number, as editors and libraries give them: "n3",
/// "n0::n2" for a node in a group, "3".
bool is_numbered(std::string_view id) {
  return id.find_first_not_of("n0123456789:") == std::string_view::npos;
}

}  // namespace

std::uint32_t GraphmlGraph::index_of(std::string_view id) {
  const auto [entry, is_new] =
      index_.try_emplace(std::string(id), static_cast<std::uint32_t>(names_.size()));
  if (is_new) {
    names_.emplace_back();
    ids_.push_back(&entry->first);
  }
  return entry->second;
}

void GraphmlGraph::add_node(std::uint32_t index, std::size_t offset) {
  Name& node = names_[index];
  if (node.place) {
    report_.error(offset, fmt::format("node {} appears twice; the first is in line {}",
                                      in_quotes(*ids_[index]), report_.line_of(node.offset)));
    return;
  }
  node.place = nodes_++;
  node.offset = offset;
}

void GraphmlGraph::set_label(std::uint32_t index, std::string_view label) {
  constexpr std::string_view kBlanks = " \t\r\n";
  std::string& name = names_[index].label;
  if (!name.empty()) return;
  // A label of several lines becomes a name of one.
  for (std::size_t at = 0; at < label.size();) {
    const std::size_t start = std::min(label.find_first_not_of(kBlanks, at), label.size());
    at = std::min(label.find_first_of(kBlanks, start), label.size());
    if (start < at && !name.empty()) name += ' ';
    name += label.substr(start, at - start);
  }
}

void GraphmlGraph::add_link(std::uint32_t from, std::uint32_t to, std::size_t offset,
                            bool directed) {
  links_.push_back({from, to, offset, directed});
}

void GraphmlGraph::set_arrows(bool at_source, bool at_target) {
  Link& link = links_.back();
  if (at_source == at_target) {
    without_direction_ += link.directed ? 1 : 0;
    link.directed = false;
  } else {
    link.directed = true;
    if (at_source) std::swap(link.from, link.to);
  }
}

ImportedGraph GraphmlGraph::finish(std::vector<std::string>* notes) {
  check_links();
  check_numbers();
  if (report_.failed()) return {};
  number_nodes();
  ImportedGraph graph{nodes_, {}, node_names()};
  for (const Name& name : names_) {
    if (!name.endpoints) continue;
    graph.endpoints.resize(nodes_, 1);
    if (name.place) graph.endpoints[name.number] = *name.endpoints;
  }
  std::set<std::pair<std::uint32_t, std::uint32_t>> seen;
  std::size_t parallel = 0;
  const auto add = [&](std::uint32_t from, std::uint32_t to) {
    graph.edges.emplace_back(from, to);
    return seen.emplace(from, to).second;
  };
  for (const Link& link : links_) {
    if (link.stages) graph.stages.insert(graph.stages.end(), link.directed ? 1 : 2, *link.stages);
    const std::uint32_t from = names_[link.from].number;
    const std::uint32_t to = names_[link.to].number;
    const bool is_new = add(from, to);
    const bool is_new_back = link.directed || add(to, from);
    if (!is_new || !is_new_back) ++parallel;
  }
  if (notes != nullptr) add_notes(parallel, *notes);
  return graph;
}

void GraphmlGraph::check_links() {
  for (const Link& link : links_) {
    bool known = true;
    for (const std::uint32_t end : {link.from, link.to}) {
      if (names_[end].place) continue;
      known = false;
      report_.error(link.offset, fmt::format("unknown node {}", in_quotes(*ids_[end])));
    }
    if (known && link.from == link.to) {
      report_.error(link.offset, fmt::format("an edge must not lead from node {} to itself",
                                             in_quotes(*ids_[link.from])));
    }
    names_[link.from].has_links = names_[link.to].has_links = true;
  }
}

/// Reports nodes without endpoints and links without stages where others have them.
void GraphmlGraph::check_numbers() {
  const auto has_endpoints = [](const Name& name) { return name.endpoints.has_value(); };
  const auto has_stages = [](const Link& link) { return link.stages.has_value(); };
  const bool counted = std::any_of(names_.begin(), names_.end(), has_endpoints);
  const bool staged = std::any_of(links_.begin(), links_.end(), has_stages);
  for (std::size_t i = 0; i < names_.size() && counted; ++i) {
    if (names_[i].endpoints || !names_[i].place || names_[i].is_group) continue;
    report_.error(names_[i].offset, fmt::format("node {} has no '{}', which other nodes have",
                                                in_quotes(*ids_[i]), kEndpointsKey));
  }
  for (const Link& link : links_) {
    if (!staged || link.stages) continue;
    report_.error(link.offset,
                  fmt::format("an edge has no '{}', which other edges have", kStagesKey));
  }
}

/// Numbers the nodes in the order of the file. Groups without links are not nodes.
void GraphmlGraph::number_nodes() {
  std::vector<Name*> in_file(nodes_);
  for (Name& name : names_) {
    if (name.place) in_file[*name.place] = &name;
  }
  nodes_ = 0;
  for (Name* name : in_file) {
    if (name->is_group && !name->has_links) {
      name->place.reset();
      ++groups_;
    } else {
      name->number = nodes_++;
    }
  }
}

/// Returns the ids of the nodes by number, or their labels if the ids are numbers and all labels
/// differ; nothing when the names only repeat the numbers.
std::vector<std::string> GraphmlGraph::node_names() {
  std::vector<std::string> names(nodes_);
  std::set<std::string_view> labels;
  bool numbered = true;
  for (std::size_t i = 0; i < names_.size(); ++i) {
    if (!names_[i].place) continue;
    names[names_[i].number] = *ids_[i];
    numbered = numbered && is_numbered(*ids_[i]);
    if (!names_[i].label.empty()) labels.insert(names_[i].label);
  }
  if (numbered && labels.size() == nodes_) {
    for (const Name& name : names_) {
      if (name.place) names[name.number] = name.label;
    }
  } else {
    labels_are_lost_ = numbered && !labels.empty();
  }
  const auto repeats = [&](std::string_view before) {
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (names[i] != fmt::format("{}{}", before, i)) return false;
    }
    return true;
  };
  return repeats("n") || repeats("") ? std::vector<std::string>{} : names;
}

void GraphmlGraph::add_notes(std::size_t parallel, std::vector<std::string>& notes) const {
  const auto add = [&](std::size_t count, std::string_view one, std::string_view several) {
    if (count == 1) notes.push_back(fmt::format("{}: 1 {}", report_.file(), one));
    if (count > 1) notes.push_back(fmt::format("{}: {} {}", report_.file(), count, several));
  };
  add(parallel, "link is parallel to another one; packets prefer the first",
      "links are parallel to others; packets prefer the first");
  add(groups_, "group without links of its own is left out; its nodes are kept",
      "groups without links of their own are left out; their nodes are kept");
  add(without_direction_, "link has arrows at both ends or at none, and leads both ways",
      "links have arrows at both ends or at none, and lead both ways");
  if (labels_are_lost_) {
    notes.push_back(
        fmt::format("{}: labels are missing or occur twice; nodes are called by their "
                    "ids",
                    report_.file()));
  }
}

}  // namespace kernbench::topology
