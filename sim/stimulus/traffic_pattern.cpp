// SPDX-License-Identifier: Apache-2.0
#include "sim/stimulus/traffic_pattern.hpp"

#include <stdexcept>
#include <utility>
#include <vector>

#include "maze/plane_bits.hpp"
#include "sim/stimulus/destinations.hpp"
#include "sim/stimulus/link_counters.hpp"
#include "sim/stimulus/link_runs.hpp"
#include "sim/stimulus/random_bits.hpp"
#include "sim/stimulus/traffic_rules.hpp"

namespace kernbench::sim {

using common::probability_threshold;
using common::Rng;
using maze::BitPlane;
using maze::Shape;

namespace {

BitPlane all_links(const Shape& shape) {
  BitPlane plane(shape);
  for (unsigned port = 0; port < shape.ports(); ++port) {
    for (unsigned node = 0; node < shape.nodes(); ++node) plane.set(port, node);
  }
  return plane;
}

BitPlane links_towards(const NodeDestinations& destinations, const Shape& shape) {
  BitPlane plane(shape);
  for (unsigned node = 0; node < shape.nodes(); ++node) {
    for (const std::uint32_t to : destinations[node]) add_links_towards(shape, node, to, plane);
  }
  return plane;
}

/// A pattern over a fixed set of links.
class FixedLinks : public TrafficPattern {
 public:
  explicit FixedLinks(BitPlane links) : links_(std::move(links)) {}
  [[nodiscard]] const BitPlane& links() const override { return links_; }

 private:
  BitPlane links_;
};

/// Every link of the set starts packets with the same probability, independent of all others.
class IndependentLinks : public FixedLinks {
 public:
  IndependentLinks(BitPlane links, double load, Rng rng)
      : FixedLinks(std::move(links)), load_(probability_threshold(load)), rng_(rng) {}

  void start(std::uint64_t, const FabricState& state, BitPlane& start) override {
    for (std::size_t w = 0; w < start.size(); ++w) {
      start.data()[w] = random_bits(rng_, load_, state.free.data()[w] & links().data()[w]);
    }
  }

 private:
  std::uint64_t load_;
  Rng rng_;
};

/// Every node draws one of its destinations in every cycle and injects towards it, with probability
/// `load` in each of the two dimensions. A given share of the destinations may be one node.
class RandomDestinations : public FixedLinks {
 public:
  RandomDestinations(const Shape& shape, NodeDestinations destinations, double load,
                     unsigned hotspot, double hotspot_share, Rng rng)
      : FixedLinks(used_links(shape, destinations, hotspot, hotspot_share)),
        shape_(shape),
        destinations_(std::move(destinations)),
        load_(probability_threshold(load)),
        hotspot_(hotspot),
        hotspot_share_(probability_threshold(hotspot_share)),
        rng_(rng) {
    for (unsigned node = 0; node < shape.nodes(); ++node) {
      coordinates_.push_back({node % shape.nx, node / shape.nx});
    }
  }

  void start(std::uint64_t, const FabricState& state, BitPlane& start) override {
    start.clear();
    for (unsigned w = 0; w < shape_.words(); ++w) {
      const std::uint64_t nodes = shape_.node_mask(w);
      const std::uint64_t inject_x = random_bits(rng_, load_, nodes);
      const std::uint64_t inject_y = random_bits(rng_, load_, nodes);
      maze::for_each_bit(inject_x | inject_y, w, [&](unsigned node) {
        const Coordinates from = coordinates_[node];
        const Coordinates to = coordinates_[destination(node)];
        const std::uint64_t bit = std::uint64_t{1} << (node % 64);
        if (to.x != from.x) {
          const unsigned port = to.x > from.x ? to.x - from.x - 1 : to.x + shape_.nx - from.x - 1;
          start.port(port)[w] |= inject_x & bit;
        }
        if (to.y != from.y) {
          const unsigned port = to.y > from.y ? to.y - from.y - 1 : to.y + shape_.ny - from.y - 1;
          start.port(shape_.x_ports() + port)[w] |= inject_y & bit;
        }
      });
    }
    for (std::size_t w = 0; w < start.size(); ++w) start.data()[w] &= state.free.data()[w];
  }

 private:
  struct Coordinates {
    unsigned x, y;
  };

  static BitPlane used_links(const Shape& shape, const NodeDestinations& destinations,
                             unsigned hotspot, double hotspot_share) {
    BitPlane plane = hotspot_share < 1.0 ? links_towards(destinations, shape) : BitPlane(shape);
    for (unsigned node = 0; hotspot_share > 0.0 && node < shape.nodes(); ++node) {
      add_links_towards(shape, node, hotspot, plane);
    }
    return plane;
  }

  /// Returns the node itself if it sends to none.
  unsigned destination(unsigned node) {
    if (hotspot_share_ != 0 && rng_.chance(hotspot_share_)) return hotspot_;
    const std::vector<std::uint32_t>& own = destinations_[node];
    return own.empty() ? node : own[rng_.below(own.size())];
  }

  Shape shape_;
  NodeDestinations destinations_;
  std::uint64_t load_;
  unsigned hotspot_;
  std::uint64_t hotspot_share_;
  Rng rng_;
  std::vector<Coordinates> coordinates_;
};

/// Uses one link at a time, in the order of MazeLinks::links(): sends its packets, waits until they
/// must have arrived, then moves to the next link.
class LinkWalk : public TrafficPattern {
 public:
  LinkWalk(const Shape& shape, const topology::MazeLinks& links, unsigned packets)
      : every_link_(all_links(shape)), links_(links.links()), packets_(packets) {
    settle_ = settling_cycles();
  }

  void start(std::uint64_t, const FabricState& state, BitPlane& start) override {
    start.clear();
    if (exhausted() || !free(state)) return;
    if (started_ == packets_) {
      if (settle_ != 0) {
        const auto& to = links_[current_].to;
        if (state.in_ready.test(to.port, to.node)) --settle_;
        return;
      }
      started_ = 0;
      if (++current_ == links_.size()) return;
      settle_ = settling_cycles();
    }
    start.set(links_[current_].from.port, links_[current_].from.node);
    ++started_;
  }
  [[nodiscard]] bool exhausted() const override { return current_ == links_.size(); }
  [[nodiscard]] const BitPlane& links() const override { return every_link_; }

 private:
  [[nodiscard]] unsigned settling_cycles() const { return walk_settling_cycles(links_[current_]); }
  [[nodiscard]] bool free(const FabricState& state) const {
    return state.free.test(links_[current_].from.port, links_[current_].from.node);
  }

  BitPlane every_link_;
  const std::vector<topology::MazeLink>& links_;
  unsigned packets_;
  std::size_t current_ = 0;
  unsigned started_ = 0;
  unsigned settle_ = 0;
};

/// Every link independently sends bursts of back-to-back packets. The gaps between them have a
/// geometric length such that the mean rate equals the load.
class Bursts : public FixedLinks {
 public:
  Bursts(const Shape& shape, double load, unsigned burst_length, Rng rng)
      : FixedLinks(all_links(shape)),
        burst_length_(burst_length),
        wake_(probability_threshold(wake_probability(load, burst_length))),
        rng_(rng),
        bursting_(shape),
        remaining_(shape, burst_length) {}

  void start(std::uint64_t, const FabricState& state, BitPlane& start) override {
    for (std::size_t w = 0; w < start.size(); ++w) {
      std::uint64_t& bursting = bursting_.data()[w];
      const std::uint64_t waking = random_bits(rng_, wake_, links().data()[w] & ~bursting);
      remaining_.load(w, waking, burst_length_);
      bursting |= waking;
      start.data()[w] = bursting & state.free.data()[w];
      bursting &= ~remaining_.count_down(w, start.data()[w]);
    }
  }

 private:
  /// A gap with a mean of G cycles, where L/(L+G) = load, ends with probability 1/(1+G) per cycle.
  static double wake_probability(double load, unsigned burst_length) {
    if (load == 0.0) return 0.0;
    return 1.0 / (1.0 + burst_length * (1.0 - load) / load);
  }

  unsigned burst_length_;
  std::uint64_t wake_;
  Rng rng_;
  BitPlane bursting_;
  LinkCounters remaining_;
};

/// Every link starts a packet in each free cycle of its active runs.
class Runs : public FixedLinks {
 public:
  Runs(const Shape& shape, RunLengths lengths, unsigned longest, Rng rng)
      : FixedLinks(all_links(shape)), runs_(shape, lengths, longest, rng) {}

  void start(std::uint64_t, const FabricState& state, BitPlane& start) override {
    const BitPlane& active = runs_.step();
    for (std::size_t w = 0; w < start.size(); ++w) {
      start.data()[w] = active.data()[w] & state.free.data()[w];
    }
  }

 private:
  LinkRuns runs_;
};

}  // namespace

std::unique_ptr<TrafficPattern> make_traffic_pattern(const TrafficSpec& spec, const Shape& shape,
                                                     const topology::MazeLinks& links, Rng rng) {
  if (const auto wrong = problem(spec, shape)) throw std::invalid_argument(*wrong);
  switch (spec.pattern) {
    case Pattern::AllLinks:
      return std::make_unique<IndependentLinks>(all_links(shape), spec.load, rng);
    case Pattern::LinkWalk:
      return std::make_unique<LinkWalk>(shape, links, spec.walk_packets);
    case Pattern::Destinations: {
      NodeDestinations destinations = destinations_of(*spec.kind, shape);
      if (is_permutation(destinations) && !spec.kind->hotspot) {
        return std::make_unique<IndependentLinks>(links_towards(destinations, shape), spec.load,
                                                  rng);
      }
      return std::make_unique<RandomDestinations>(
          shape, std::move(destinations), spec.load, spec.hotspot_node,
          spec.kind->hotspot ? spec.hotspot_share : 0.0, rng);
    }
    case Pattern::Bursts:
      return std::make_unique<Bursts>(shape, spec.load, spec.burst_length, rng);
    case Pattern::HeavyTailed:
      return std::make_unique<Runs>(shape, RunLengths::HeavyTailed, spec.longest, rng);
    case Pattern::LengthSweep:
      return std::make_unique<Runs>(shape, RunLengths::Sweep, spec.longest, rng);
    case Pattern::Trace:
      break;
  }
  throw std::invalid_argument("pattern trace is replayed from its file, not generated");
}

}  // namespace kernbench::sim
