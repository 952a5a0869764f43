// SPDX-License-Identifier: Apache-2.0
#include "topology/zoo/routing/hierarchical_routing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "topology/zoo/routing/part_of.hpp"

namespace kernbench::topology::zoo {

HierarchicalRouting::HierarchicalRouting(const HierarchicalTopology& topology,
                                         std::unique_ptr<RoutingRelation> base,
                                         std::vector<std::unique_ptr<RoutingRelation>> children)
    : RoutingRelation(topology),
      whole_(topology),
      base_(std::move(base)),
      children_(std::move(children)),
      n_vcs_(base_->n_vcs()) {
  require_relation_over(*base_, topology.base());
  if (children_.size() != topology.children().size()) {
    throw std::invalid_argument(
        fmt::format("{} relations for {} children", children_.size(), topology.children().size()));
  }
  for (std::size_t i = 0; i < children_.size(); ++i) {
    require_relation_over(*children_[i], *topology.children()[i].topology);
    n_vcs_ = std::max(n_vcs_, 2 * children_[i]->n_vcs());
  }
}

std::string HierarchicalRouting::name() const {
  std::string text = fmt::format("hierarchy, base: {}", base_->name());
  std::vector<std::string> said;
  for (const auto& child : children_) {
    const std::string its_name = child->name();
    if (std::find(said.begin(), said.end(), its_name) != said.end()) continue;
    text += fmt::format("{}{}", said.empty() ? ", children: " : " or ", its_name);
    said.push_back(its_name);
  }
  return text;
}

std::optional<std::size_t> HierarchicalRouting::child_of(std::uint32_t node) const {
  if (node < whole_.base().n_nodes()) return std::nullopt;
  std::size_t child = 0;
  while (child + 1 < children_.size() && node >= whole_.first_node(child + 1)) ++child;
  return child;
}

bool HierarchicalRouting::has_way(std::uint32_t src, std::uint32_t dst) const {
  const auto from = child_of(src);
  const auto to = child_of(dst);
  if (from && from == to) {
    const std::uint32_t first = whole_.first_node(*from);
    return routes(*children_[*from], src - first, dst - first);
  }
  std::uint32_t base_src = src;
  std::uint32_t base_dst = dst;
  if (from) {
    const HierarchicalSubTopology& sub = whole_.children()[*from];
    if (!routes(*children_[*from], src - whole_.first_node(*from), sub.child_node)) return false;
    base_src = sub.base_node;
  }
  if (to) {
    const HierarchicalSubTopology& sub = whole_.children()[*to];
    if (!routes(*children_[*to], sub.child_node, dst - whole_.first_node(*to))) return false;
    base_dst = sub.base_node;
  }
  return routes(*base_, base_src, base_dst);
}

std::vector<Hop> HierarchicalRouting::next(std::uint32_t at, std::optional<Hop> in,
                                           std::uint32_t dst) const {
  if (!in && !has_way(at, dst)) return {};
  const auto from = child_of(at);
  const auto to = child_of(dst);
  if (from && from == to) return next_in_child(*from, at, in, dst);
  if (from) {  // up
    const HierarchicalSubTopology& sub = whole_.children()[*from];
    const std::uint32_t gate = whole_.first_node(*from) + sub.child_node;
    return at == gate ? hop(at, sub.base_node, 0) : next_in_child(*from, at, in, gate);
  }
  if (to) {  // down
    const HierarchicalSubTopology& sub = whole_.children()[*to];
    if (at == sub.base_node) return hop(at, whole_.first_node(*to) + sub.child_node, 0);
    return next_within(*base_, whole_, 0, at, in, sub.base_node);
  }
  return next_within(*base_, whole_, 0, at, in, dst);
}

std::vector<Hop> HierarchicalRouting::next_in_child(std::size_t child, std::uint32_t at,
                                                    std::optional<Hop> in,
                                                    std::uint32_t dst) const {
  const RoutingRelation& relation = *children_[child];
  const std::uint32_t own = relation.n_vcs();
  bool came_down = false;
  if (in) {
    const std::uint32_t before = whole_.channels()[in->channel].src;
    came_down = before < whole_.base().n_nodes() || in->vc >= own;
    if (in->vc >= own) in->vc -= own;
  }
  std::vector<Hop> hops = next_within(relation, whole_, whole_.first_node(child), at, in, dst);
  if (came_down) {
    for (Hop& hop : hops) hop.vc += own;
  }
  return hops;
}

}  // namespace kernbench::topology::zoo
