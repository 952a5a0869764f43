// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sim/build/model_store.hpp"
#include "sim/noc/noc_device.hpp"
#include "sim/noc/noc_drawing.hpp"
#include "sim/noc/noc_spec.hpp"
#include "topology/rtl/noc_plan.hpp"
#include "topology/zoo/base/base_topology.hpp"
#include "topology/zoo/routing/routing_relation.hpp"

namespace kernbench::cosim {

/// A network of any topology: its routes, its RTL, and the device that the bench sees.
struct NocDesign {
  topology::zoo::TopologyPtr topology;
  std::unique_ptr<topology::zoo::RoutingRelation> relation;
  topology::NocPlan plan;
  std::unique_ptr<sim::NocDevice> device;
};

/// Returns the network of a topology whose routers have these sizes; `sizes.topology` is not read.
/// Throws common::BadInput with all limits of the RTL that it exceeds, or if a flit has no room for
/// what the bench writes into it.
[[nodiscard]] NocDesign noc_design(topology::zoo::TopologyPtr topology,
                                   const sim::NocNetworkSpec& sizes);

/// Does the same for the topology that `spec` names by a text of the zoo or a file. Adds lines to
/// `notes` about what the file has and the topology has not.
[[nodiscard]] NocDesign open_noc_design(const sim::NocNetworkSpec& spec,
                                        std::vector<std::string>* notes = nullptr);

/// Returns what ModelStore::ensure_noc() builds the model of a network from. Without other RTL in
/// `rtl`, writes the RTL of the network into a folder below `models`, unless it is there. `root`
/// contains rtl/. Throws common::BadInput if a file of that folder was edited.
[[nodiscard]] sim::NocRequest noc_request(const NocDesign& design, const sim::RtlRequest& rtl,
                                          const std::string& models, const std::string& root);

/// Returns where a network is drawn, as in the picture of its topology.
[[nodiscard]] sim::NocPicture picture_of(const NocDesign& design);

/// Return the names of all nodes and channels of a network, in their order.
[[nodiscard]] std::vector<std::string> node_names_of(const sim::NocDevice& device);
[[nodiscard]] std::vector<std::string> channel_names_of(const sim::NocDevice& device);

}  // namespace kernbench::cosim
