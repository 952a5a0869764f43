// SPDX-License-Identifier: Apache-2.0
// A base topology and a routing relation: a star of n nodes around node 0, and the routes of any
// topology over node 0.
#include <kernbench/topology.hpp>
#include <stdexcept>

namespace {

using namespace kernbench::topology::zoo;

class Star : public BaseTopology {
 public:
  explicit Star(std::uint32_t n) : BaseTopology(define(n)) {}

 private:
  static Definition define(std::uint32_t n) {
    Definition star{"Star(" + std::to_string(n) + ")", n, {}};
    for (std::uint32_t leaf = 1; leaf < n; ++leaf) {
      star.channels.push_back({0, leaf});
      star.channels.push_back({leaf, 0});
    }
    return star;
  }
};

/// Sends every packet to node 0, and from there to its destination.
class OverTheCentre : public RoutingRelation {
 public:
  explicit OverTheCentre(const BaseTopology& topology) : RoutingRelation(topology) {
    for (std::uint32_t node = 1; node < topology.n_nodes(); ++node) {
      if (topology.connects(0, node) && topology.connects(node, 0)) continue;
      throw std::invalid_argument("'over_the_centre' needs channels between node 0 and all others");
    }
  }
  std::string name() const override { return "over the centre"; }
  std::uint32_t n_vcs() const override { return 1; }
  std::vector<Hop> next(std::uint32_t at, std::optional<Hop> /*in*/,
                        std::uint32_t dst) const override {
    return hop(at, at == 0 ? dst : 0, 0);
  }
};

NewTopology make_star(std::span<const std::uint32_t> sizes) {
  return std::make_shared<Star>(sizes[0]);
}

std::unique_ptr<RoutingRelation> over_the_centre(const BaseTopology& topology) {
  return std::make_unique<OverTheCentre>(topology);
}

const TopologyRegistration kStar{{.name = "Star",
                                  .parameters = "n",
                                  .doc = "n nodes, all joined to the first",
                                  .sizes = {{"n", 2}},
                                  .make = make_star}};
const RoutingRegistration kOverTheCentre{
    {"over_the_centre", "over node 0; topologies in which it is joined to all", over_the_centre}};

}  // namespace
