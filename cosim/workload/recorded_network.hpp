// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "common/described.hpp"
#include "topology/spec/noc_spec.hpp"
#include "topology/zoo/base/base_topology.hpp"

namespace kernbench::cosim {

/// A network of routers with its routes, as a file keeps it that must do without the files and
/// plugins of its topology.
struct RecordedNetwork {
  /// Text of the zoo, if that gives the same network. All members up to `routes` are empty then.
  std::string topology;
  std::uint32_t nodes = 0;
  std::vector<std::array<std::uint32_t, 2>> channels;  ///< source and destination
  std::vector<std::uint32_t> channel_stages;           ///< registers by channel, or empty
  std::vector<std::string> names;                      ///< names of the nodes, or empty
  std::vector<std::uint32_t> endpoints;                ///< number at each node, or empty
  std::uint32_t vcs = 0;                               ///< classes of `routes`
  std::string routes;                                  ///< CSV; empty: those of the graph

  std::uint32_t lanes = 1;
  std::uint32_t slots = 8;
  std::uint32_t stages = 1;
  std::uint32_t packet_flits = 16;
};

/// Records a network. Its topology has routes for at most kMaxRoutedNodes nodes.
[[nodiscard]] RecordedNetwork recorded_network(const topology::zoo::BaseTopology& topology,
                                               const topology::NocSpec& sizes);

/// Returns a text of the zoo that gives the channels and routes of a record, with other names of
/// nodes perhaps. Returns an empty text if there is none.
[[nodiscard]] std::string zoo_text_of(const RecordedNetwork& network);

/// Returns the topology of a record, whose channels have the same numbers. `file` names the record
/// in messages. Throws common::BadInput for a record that recorded_network() does not make.
[[nodiscard]] topology::zoo::TopologyPtr topology_of(const RecordedNetwork& network,
                                                     const std::string& file);

}  // namespace kernbench::cosim

template <>
const kernbench::common::Description<kernbench::cosim::RecordedNetwork>&
kernbench::common::description_of();
