// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "topology/zoo/routing/routing_relation.hpp"

namespace kernbench::topology {

// Limits of NOC_NODE (rtl/noc/).
inline constexpr std::uint32_t kMaxNocNodes = 256;
inline constexpr std::uint32_t kMaxNocPorts = 15;     ///< in or out, the local one included
inline constexpr std::uint32_t kMaxNocInputVcs = 64;  ///< ports in times virtual channels
inline constexpr std::uint32_t kMaxNocStages = 15;    ///< register stages of a link
inline constexpr std::uint32_t kMaxNocSlots = 256;
inline constexpr std::uint32_t kMaxNocFlitBits = 4096;
/// Payload of a head flit where no width is given.
inline constexpr std::uint32_t kNocPayloadBits = 32;

/// Parameters of the RTL of a network that its topology does not decide.
struct NocOptions {
  std::uint32_t lanes = 1;      ///< virtual channels of each class of the routes
  std::uint32_t slots = 8;      ///< flits that an input holds for each virtual channel
  std::uint32_t flit_bits = 0;  ///< 0: head, tail, destination and kNocPayloadBits
  std::uint32_t stages = 1;     ///< register stages of a link whose file and `wire` give it none
  /// Longest wire between registers, in units of the picture; 0: the picture gives no stages.
  double wire = 0;
  std::string module = "NOC_TOP";
};

/// A node of the RTL. Input and output p is the p-th of these channels; behind them follows the
/// local port.
struct NocNodePlan {
  std::vector<std::uint32_t> in;   ///< incoming channels, in the order of BaseTopology::channels()
  std::vector<std::uint32_t> out;  ///< outgoing ones
  /// Entry of input p, virtual channel v and destination d at (p * vcs + v) * nodes + d: output *
  /// classes + class. 0 where no packet needs it.
  std::vector<std::uint32_t> table;

  [[nodiscard]] std::uint32_t inputs() const { return static_cast<std::uint32_t>(in.size()) + 1; }
  [[nodiscard]] std::uint32_t outputs() const { return static_cast<std::uint32_t>(out.size()) + 1; }
};

/// A network of NOC_NODEs: everything that its RTL depends on.
struct NocPlan {
  std::string topology;  ///< name of the topology
  std::string relation;  ///< name of its routing
  NocOptions options;
  std::uint32_t classes = 1;           ///< virtual channels of the routes
  std::vector<zoo::Channel> channels;  ///< channels of the topology
  std::vector<std::uint32_t> stages;   ///< register stages of each channel
  std::vector<NocNodePlan> nodes;

  [[nodiscard]] std::uint32_t n_nodes() const { return static_cast<std::uint32_t>(nodes.size()); }
  /// Returns the register stages of a node's inputs, the local one last.
  [[nodiscard]] std::vector<std::uint32_t> stages_of(const NocNodePlan& node) const;
  [[nodiscard]] std::uint32_t vcs() const { return classes * options.lanes; }
  /// Returns the bits of an entry of a node's table.
  [[nodiscard]] std::uint32_t key_bits(const NocNodePlan& node) const;
};

/// Returns the bits of a number below `values`, at least 1.
[[nodiscard]] std::uint32_t bits_for(std::uint32_t values);

/// Returns the register stages of the links: "1", or "0 to 3" where they differ.
[[nodiscard]] std::string stages_text(const NocPlan& plan);

/// Returns the network of a relation's preferred routes. Throws common::BadInput with all limits
/// that it exceeds, or if the routes can deadlock.
[[nodiscard]] NocPlan plan_noc(const zoo::RoutingRelation& relation, const NocOptions& options);

}  // namespace kernbench::topology
