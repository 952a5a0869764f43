// SPDX-License-Identifier: Apache-2.0
#include "sim/network/network_coverage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "maze/node_route.hpp"

namespace kernbench::sim {
namespace {

using maze::Arrival;
using maze::NodeRoute;
using maze::Shape;

/// Cycles of back-pressure that count as long.
constexpr std::uint32_t kLongBackPressure = 1000;

/// Returns names of the crosspoints of a node, by output and input; those that no packet takes have
/// none.
std::vector<std::string> crosspoints(const Shape& shape, bool with_failures) {
  const unsigned ports = shape.ports() + 1;
  std::vector<std::string> names;
  for (unsigned output = 0; output < ports; ++output) {
    for (unsigned input = 0; input < ports; ++input) {
      const Arrival to = NodeRoute::arrival(shape, output);
      const Arrival from = NodeRoute::arrival(shape, input);
      const bool behind_detour = from == Arrival::Y && to == Arrival::X;
      const bool legal = from == Arrival::User || to == Arrival::User ||
                         (from == Arrival::X && to == Arrival::Y) ||
                         (behind_detour && with_failures);
      names.push_back(legal ? fmt::format("input {} to output {}", input, output) : "");
    }
  }
  return names;
}

std::vector<std::string> meetings(const Shape& shape) {
  std::vector<std::string> names;
  for (unsigned output = 0; output <= shape.ports(); ++output) {
    for (const char* pair : {"low and low", "low and high", "high and high"}) {
      names.push_back(fmt::format("{} at output {}", pair, output));
    }
  }
  return names;
}

std::vector<std::string> corners(const Shape& shape) {
  std::vector<std::string> names;
  for (unsigned y = 1; y < shape.ny; ++y) {
    for (unsigned x = 1; x < shape.nx; ++x) {
      names.push_back(fmt::format("source {} X hops before it, target {} Y hops behind it", x, y));
    }
  }
  return names;
}

}  // namespace

NetworkCoverage::NetworkCoverage(const maze::NetworkConfig& config)
    : config_(config),
      ports_(config.shape.ports() + 1),
      plain_(group("crosspoint, no failure", crosspoints(config.shape, false))),
      any_(group("crosspoint, any network", crosspoints(config.shape, true))),
      meetings_(group("levels meet", meetings(config.shape))),
      corners_(group("failed corner", corners(config.shape))),
      multicasts_(group("multicast", {"column", "row", "broadcast"})),
      backs_(group("back-pressure of 1,000 cycles", {"at this B", "at all B"})),
      resets_(group("reset under traffic", {"holding a packet"})),
      packets_(group("packets", std::vector<std::string>(ports_))),
      stall_(config.shape.nodes()) {}

NetworkCoverage::Group NetworkCoverage::group(std::string name,
                                              std::vector<std::string> rows) const {
  std::vector<std::uint64_t> hits(rows.size() * config_.shape.words());
  return {std::move(name), std::move(rows), std::move(hits)};
}

void NetworkCoverage::accepted(unsigned node, unsigned type) {
  if (type != 0) hit(multicasts_, type - 1, node);
}

void NetworkCoverage::delivered(unsigned source, unsigned node) {
  if (!config_.failed) return;
  const Shape& shape = config_.shape;
  const unsigned failed = *config_.failed;
  const bool at_corner =
      source / shape.nx == failed / shape.nx && node % shape.nx == failed % shape.nx;
  if (!at_corner || source == failed || node == failed) return;
  const unsigned x = (failed % shape.nx + shape.nx - source % shape.nx) % shape.nx;
  const unsigned y = (node / shape.nx + shape.ny - failed / shape.nx) % shape.ny;
  hit(corners_, std::size_t{y - 1} * (shape.nx - 1) + x - 1, failed);
}

void NetworkCoverage::stalled(const std::vector<std::uint64_t>& nodes) {
  bool all = true;
  for (unsigned node = 0; node < stall_.size(); ++node) {
    const bool stalls = (nodes[node / 64] >> (node % 64) & 1U) != 0;
    stall_[node] = stalls ? stall_[node] + 1 : 0;
    all = all && stall_[node] >= kLongBackPressure;
    if (stall_[node] == kLongBackPressure) hit(backs_, 0, node);
  }
  if (all) {
    for (unsigned node = 0; node < stall_.size(); ++node) hit(backs_, 1, node);
  }
}

void NetworkCoverage::reset(const maze::NetworkModel& model) {
  for (unsigned word = 0; word < config_.shape.words(); ++word) {
    for (unsigned input = 0; input < ports_; ++input) {
      for (std::size_t level = 0; level < maze::kLevels; ++level) {
        row(resets_, 0)[word] |= model.groups()[word].heads(level, input);
      }
    }
  }
  std::fill(stall_.begin(), stall_.end(), 0);
}

void NetworkCoverage::sample(const maze::NetworkModel& model) {
  for (unsigned word = 0; word < config_.shape.words(); ++word) {
    const maze::NodeGroup& nodes = model.groups()[word];
    for (unsigned output = 0; output < ports_; ++output) {
      std::array<std::uint64_t, maze::kLevels> one{};
      std::array<std::uint64_t, maze::kLevels> two{};
      for (unsigned input = 0; input < ports_; ++input) {
        std::uint64_t granted = 0;
        for (std::size_t level = 0; level < maze::kLevels; ++level) {
          granted |= nodes.grants(level, output, input);
          const std::uint64_t asks = nodes.requests(level, output, input);
          two[level] |= one[level] & asks;
          one[level] |= asks;
        }
        row(any_, cross(output, input))[word] |= granted;
        if (!config_.failed) row(plain_, cross(output, input))[word] |= granted;
      }
      row(meetings_, std::size_t{output} * 3)[word] |= two[0];
      row(meetings_, std::size_t{output} * 3 + 1)[word] |= one[0] & one[1];
      row(meetings_, std::size_t{output} * 3 + 2)[word] |= two[1];
    }
  }
}

void NetworkCoverage::require_packets(std::uint64_t goal) {
  goal_ = goal;
  for (unsigned input = 0; goal != 0 && input < ports_; ++input) {
    packets_.rows[input] = fmt::format("{} through the queue of input {}", goal, input);
  }
}

void NetworkCoverage::carried(const std::vector<std::uint64_t>& links,
                              const std::vector<std::uint64_t>& users) {
  const unsigned nodes = config_.shape.nodes();
  for (unsigned input = 0; input < ports_; ++input) {
    const bool is_user = input + 1 == ports_;
    for (unsigned node = 0; node < nodes; ++node) {
      const std::uint64_t packets =
          is_user ? users[node] : links[std::size_t{input} * nodes + node];
      if (packets >= goal_) hit(packets_, input, node);
    }
  }
}

void NetworkCoverage::merge(const NetworkCoverage& other) {
  const auto add = [](Group& to, const Group& from) {
    for (std::size_t i = 0; i < to.hits.size(); ++i) to.hits[i] |= from.hits[i];
  };
  add(plain_, other.plain_);
  add(any_, other.any_);
  add(meetings_, other.meetings_);
  add(corners_, other.corners_);
  add(multicasts_, other.multicasts_);
  add(backs_, other.backs_);
  add(resets_, other.resets_);
  add(packets_, other.packets_);
  if (other.goal_ != 0) require_packets(other.goal_);
  if (deep_ && other.deep_) {
    deep_->merge(*other.deep_);
  } else if (other.deep_) {
    deep_ = other.deep_;
  }
}

std::vector<const NetworkCoverage::Group*> NetworkCoverage::groups() const {
  if (goal_ != 0) return {&packets_};
  if (deep_) return {};
  return {&plain_, &any_, &meetings_, &corners_, &multicasts_, &backs_, &resets_};
}

std::vector<NetworkBins> NetworkCoverage::bins() const {
  std::vector<NetworkBins> all;
  const unsigned words = config_.shape.words();
  for (const Group* group : groups()) {
    NetworkBins& sum = all.emplace_back(NetworkBins{group->name});
    for (std::size_t i = 0; i < group->rows.size(); ++i) {
      if (group->rows[i].empty()) continue;
      sum.bins += config_.shape.nodes();
      for (unsigned word = 0; word < words; ++word) {
        sum.hit += static_cast<unsigned>(std::popcount(group->hits[i * words + word]));
      }
    }
  }
  return all;
}

CoverageSummary NetworkCoverage::summary() const {
  CoverageSummary summary;
  if (deep_) summary.groups = deep_->groups();
  for (const NetworkBins& group : bins()) {
    summary.groups.push_back({group.name, group.hit, group.bins, {}});
  }
  for (const std::string& hole : functional_holes()) {
    const std::size_t name = hole.find(": ");
    for (CoverageGroup& group : summary.groups) {
      if (group.name == hole.substr(0, name)) group.missed.push_back(hole.substr(name + 2));
    }
  }
  return summary;
}

std::vector<std::string> NetworkCoverage::holes(std::size_t most) const {
  std::vector<std::string> names;
  if (deep_) {
    for (const CoverageGroup& group : deep_->groups()) {
      names.insert(names.end(), group.missed.begin(), group.missed.end());
    }
  }
  const std::vector<std::string> functional = functional_holes();
  names.insert(names.end(), functional.begin(), functional.end());
  names.resize(std::min(names.size(), most));
  return names;
}

std::vector<std::string> NetworkCoverage::functional_holes() const {
  std::vector<std::string> names;
  const unsigned words = config_.shape.words();
  for (const Group* group : groups()) {
    for (std::size_t i = 0; i < group->rows.size(); ++i) {
      if (group->rows[i].empty()) continue;
      for (unsigned node = 0; node < config_.shape.nodes(); ++node) {
        if ((group->hits[i * words + node / 64] >> (node % 64) & 1U) != 0) continue;
        names.push_back(fmt::format("{}: node {}, {}", group->name, node, group->rows[i]));
      }
    }
  }
  return names;
}

}  // namespace kernbench::sim
