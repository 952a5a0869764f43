// SPDX-License-Identifier: Apache-2.0
// The links that packets wait for one after the other never form a circle: from the routes of the
// reference, which lockstep compares with the RTL.
#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <set>
#include <vector>

#include "maze/node_route.hpp"
#include "maze/plane_bits.hpp"
#include "topology/maze_links.hpp"

namespace kernbench {
namespace {

/// The links of a network and which link a packet waits for while it holds another.
class Dependencies {
 public:
  explicit Dependencies(const maze::NetworkConfig& config)
      : config_(config),
        layout_(config.shape),
        route_(config),
        links_(config.shape.nx, config.shape.ny),
        after_(config.shape.links()) {}

  /// Follows all copies of a packet from port A of its source.
  void follow(unsigned source, const maze::PacketFields& fields) {
    follow(maze::Arrival::User, source, layout_.encode(fields), std::nullopt);
  }
  /// Adds all packets that the network may carry.
  void follow_all() {
    const unsigned types = config_.failed ? 1 : 4;  // with a failed node all are unicasts
    for (unsigned source = 0; source < config_.shape.nodes(); ++source) {
      for (unsigned target = 0; target < config_.shape.nodes(); ++target) {
        if (source == config_.failed || target == config_.failed) continue;
        for (unsigned type = 0; type < types; ++type) {
          follow(source,
                 {.type = type, .src = layout_.address(source), .tgt = layout_.address(target)});
        }
      }
    }
  }
  /// Adds a packet that goes along Y first.
  void follow_y_first(unsigned source, unsigned target) {
    const unsigned corner =
        target / config_.shape.nx * config_.shape.nx + source % config_.shape.nx;
    wait(link_between(source, corner), link_between(corner, target));
  }

  [[nodiscard]] std::size_t size() const {
    std::size_t sum = 0;
    for (const auto& next : after_) sum += next.size();
    return sum;
  }
  /// Returns true when links wait for each other in a circle.
  [[nodiscard]] bool has_circle() const {
    enum class Seen : std::uint8_t { No, Open, Done };
    std::vector<Seen> seen(after_.size(), Seen::No);
    std::function<bool(std::size_t)> leads_back = [&](std::size_t link) {
      seen[link] = Seen::Open;
      for (const std::size_t next : after_[link]) {
        if (seen[next] == Seen::Open || (seen[next] == Seen::No && leads_back(next))) return true;
      }
      seen[link] = Seen::Done;
      return false;
    };
    for (std::size_t link = 0; link < after_.size(); ++link) {
      if (seen[link] == Seen::No && leads_back(link)) return true;
    }
    return false;
  }

 private:
  [[nodiscard]] std::size_t link_from(unsigned node, unsigned port) const {
    return std::size_t{node} * config_.shape.ports() + port;
  }
  [[nodiscard]] std::size_t link_between(unsigned from, unsigned to) const {
    for (unsigned port = 0; port < config_.shape.ports(); ++port) {
      if (links_.leaving(from, port).to.node == to) return link_from(from, port);
    }
    throw std::logic_error("no link");
  }
  void wait(std::size_t held, std::size_t awaited) { after_[held].insert(awaited); }

  void follow(maze::Arrival from, unsigned node, maze::Payload packet,
              std::optional<std::size_t> held) {
    maze::for_each_bit(route_.outputs(from, node, packet), [&](unsigned port) {
      if (port == config_.shape.ports()) return;  // B waits for its user only
      const std::size_t link = link_from(node, port);
      if (held) wait(*held, link);
      const topology::MazePort to = links_.leaving(node, port).to;
      follow(maze::NodeRoute::arrival(config_.shape, to.port), to.node, packet, link);
    });
  }

  maze::NetworkConfig config_;
  maze::PacketLayout layout_;
  maze::NodeRoute route_;
  topology::MazeLinks links_;
  std::vector<std::set<std::size_t>> after_;  ///< by link
};

TEST(NetworkDeadlock, NoLinksWaitForEachOtherInACircleWithoutAFailedNodeAndRoundEachOne) {
  for (const auto& [nx, ny] : {std::pair{8U, 8U}, {4U, 4U}, {8U, 3U}, {2U, 5U}, {16U, 2U}}) {
    const maze::Shape shape{nx, ny, 8};
    for (unsigned failed = 0; failed <= shape.nodes(); ++failed) {
      maze::NetworkConfig config{.shape = shape};
      if (failed < shape.nodes()) config.failed = failed;
      Dependencies links(config);
      links.follow_all();
      EXPECT_GT(links.size(), 0U);
      EXPECT_FALSE(links.has_circle()) << nx << "x" << ny << ", " << failed << " failed";
    }
  }
}

TEST(NetworkDeadlock, AFreeChoiceOfTheCornerIsACircle) {
  Dependencies links({.shape = {4, 4, 8}});
  links.follow_all();
  // One corner of a square for each of its packets: X first three times, and Y first once more.
  links.follow_y_first(0, 5);
  links.follow_y_first(5, 0);
  links.follow_y_first(1, 4);
  links.follow_y_first(4, 1);
  EXPECT_TRUE(links.has_circle());
}

}  // namespace
}  // namespace kernbench
