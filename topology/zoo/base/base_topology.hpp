#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "topology/zoo/layout/plot.hpp"

namespace kernbench::topology::zoo {

/// Largest topology that is built; more is refused with std::invalid_argument.
inline constexpr std::uint32_t kMaxNodes = 65536;
inline constexpr std::uint64_t kMaxChannels = std::uint64_t{1} << 22U;

/// A base topology as Constellation describes it: routers, numbered from 0, joined by one-way
/// channels. Immutable. Every kind is a class of its own, whose constructor applies the rule.
class BaseTopology {
 public:
  virtual ~BaseTopology() = default;
  BaseTopology(const BaseTopology&) = delete;
  BaseTopology& operator=(const BaseTopology&) = delete;

  /// The kind with its parameters: "Mesh2D(4,3)".
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] std::uint32_t n_nodes() const { return n_nodes_; }
  /// Whether a channel leads from `src` to `dst`. False for nodes that do not exist.
  [[nodiscard]] bool connects(std::uint32_t src, std::uint32_t dst) const;

  /// All channels, by source, then by destination. A channel's index counts in this order.
  [[nodiscard]] const std::vector<Channel>& channels() const { return channels_; }
  /// The channels that leave `src`, which must exist.
  [[nodiscard]] std::span<const Channel> channels_from(std::uint32_t src) const;
  /// The index of the first of channels_from(src).
  [[nodiscard]] std::uint32_t first_channel_from(std::uint32_t src) const;
  /// The index of a channel; nothing if there is none.
  [[nodiscard]] std::optional<std::uint32_t> find_channel(std::uint32_t src,
                                                          std::uint32_t dst) const;

  /// Where the nodes stand and which channels are bent; ingresses and egresses not yet placed.
  [[nodiscard]] virtual Plot layout() const = 0;
  /// The whole picture: layout(), and an ingress and an egress at each node, in free places.
  [[nodiscard]] Plot plotter() const;

 protected:
  /// What a kind's rule makes of its parameters. Channels in any order, doubles allowed.
  struct Definition {
    std::string name;
    std::uint32_t n_nodes = 0;
    std::vector<Channel> channels;
  };
  explicit BaseTopology(Definition definition);

  /// Throws std::invalid_argument, "name(...): 'parameter' must be at least ..., not ...".
  static void require_at_least(std::string_view name, std::string_view parameter,
                               std::uint32_t value, std::uint32_t least);
  /// `nodes`, if they and the channels are within kMaxNodes and kMaxChannels; throws otherwise.
  static std::uint32_t checked_size(std::string_view name, std::uint64_t nodes,
                                    std::uint64_t channels);

 private:
  std::string name_;
  std::uint32_t n_nodes_;
  std::vector<Channel> channels_;
  std::vector<std::uint32_t> first_from_;  ///< by source, and one past the last
};

using TopologyPtr = std::shared_ptr<const BaseTopology>;

/// "3->4".
[[nodiscard]] std::string channel_name(const Channel& channel);

}  // namespace kernbench::topology::zoo
