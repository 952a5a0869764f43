// SPDX-License-Identifier: Apache-2.0
#include "cosim/noc/noc_design.hpp"

#include <fmt/format.h>

#include <cctype>
#include <filesystem>
#include <optional>
#include <span>
#include <utility>

#include "common/atomic_file.hpp"
#include "common/diagnostics.hpp"
#include "common/hash.hpp"
#include "noc/packet_fields.hpp"
#include "noc/relation_network.hpp"
#include "topology/rtl/noc_sources.hpp"
#include "topology/zoo/layout/plot.hpp"
#include "topology/zoo/routing/natural_routing.hpp"
#include "topology/zoo/traffic_endpoints.hpp"
#include "topology/zoo/zoo_spec.hpp"
#include "topology/zoo/zoo_svg.hpp"

namespace kernbench::cosim {
namespace {

/// Returns the nodes of a topology as kinds of traffic see them.
topology::TrafficShape traffic_shape_of(const topology::zoo::BaseTopology& topology) {
  topology::TrafficShape shape{.topology = topology.name(), .count = topology.n_nodes()};
  const auto endpoints = topology::zoo::traffic_endpoints(topology);
  shape.has_grid = endpoints.grid.has_value();
  shape.grid = endpoints.grid.value_or(topology::Grid{topology.n_nodes(), 1});
  return shape;
}

/// Refuses flits too narrow or too wide for what the bench writes into them.
void check_flit_bits(const topology::NocPlan& plan) {
  const std::uint32_t bits = plan.options.flit_bits;
  const std::uint32_t least = noc::PacketFields::least_flit_bits(plan.n_nodes(), plan.vcs());
  if (bits >= least && bits <= 64) return;
  throw common::BadInput(
      fmt::format("flits have {} bits; the bench needs {} to 64 to tell the packets of {} nodes "
                  "apart",
                  bits, least, plan.n_nodes()));
}

/// Returns a name of a folder for a network: letters and digits of its topology, and a hash.
std::string folder_name(const topology::NocPlan& plan) {
  std::string name;
  for (const char c : plan.topology) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
      name += c;
    } else if (!name.empty() && name.back() != '-' && name.size() < 40) {
      name += '-';
    }
  }
  name = name.substr(0, 40);
  while (name.ends_with('-')) name.pop_back();
  return name + "-" +
         common::hex64(common::hash_bytes(topology::noc_package(plan) + topology::noc_top(plan)))
             .substr(0, 8);
}

/// Writes the RTL of a network into the folder `rtl-NAME` below that of the models unless it is
/// there. Returns its file list.
std::string generated_rtl(const NocDesign& design, const std::string& name,
                          const std::string& models, const std::string& root) {
  const auto files = topology::noc_files(design.plan, topology::noc_rtl(root + "/rtl"),
                                         topology::zoo::render_zoo_svg(*design.topology));
  const std::filesystem::path folder = std::filesystem::path(models) / ("rtl-" + name);
  if (!std::filesystem::exists(folder) || !topology::differences_of_folder(folder, files).empty()) {
    common::ensure_directory(models);
    topology::write_generated_folder(folder, files);
  }
  return (folder / (topology::noc_stem(design.plan) + ".f")).string();
}

}  // namespace

NocDesign noc_design(topology::zoo::TopologyPtr topology, const sim::NocNetworkSpec& sizes) {
  NocDesign design;
  design.topology = std::move(topology);
  design.relation = topology::zoo::natural_routing(*design.topology);
  design.plan = topology::plan_noc(*design.relation, {.lanes = sizes.lanes,
                                                      .slots = sizes.slots,
                                                      .flit_bits = sizes.flit_bits,
                                                      .stages = sizes.stages,
                                                      .wire = sizes.wire});
  check_flit_bits(design.plan);
  const topology::NocOptions& options = design.plan.options;
  design.device = std::make_unique<sim::NocDevice>(
      sim::NocDevice{design.topology->name(),
                     noc::network_of(*design.relation,
                                     {.lanes = options.lanes,
                                      .slots = options.slots,
                                      .flit_bits = options.flit_bits,
                                      .local_stages = options.stages},
                                     std::span<const std::uint32_t>(design.plan.stages)),
                     traffic_shape_of(*design.topology), design.topology->node_names()});
  return design;
}

NocDesign open_noc_design(const sim::NocNetworkSpec& spec, std::vector<std::string>* notes) {
  return noc_design(topology::zoo::open_topology(spec.topology, notes), spec);
}

sim::NocRequest noc_request(const NocDesign& design, const sim::RtlRequest& rtl,
                            const std::string& models, const std::string& root) {
  const topology::NocPlan& plan = design.plan;
  sim::NocRequest request{.name = folder_name(plan),
                          .nodes = plan.n_nodes(),
                          .channels = static_cast<unsigned>(plan.channels.size()),
                          .vcs = plan.vcs(),
                          .flit_bits = plan.options.flit_bits,
                          .rtl = rtl};
  if (rtl.shipped()) request.rtl.filelist = generated_rtl(design, request.name, models, root);
  return request;
}

sim::NocPicture picture_of(const NocDesign& design) {
  const topology::zoo::Plot plot = design.topology->plotter();
  sim::NocPicture picture;
  for (const topology::zoo::PlotNode& node : plot.nodes) {
    picture.nodes.push_back({node.at.x, node.at.y});
  }
  for (const noc::Channel& channel : design.device->network.channels()) {
    const auto bend = plot.bends.find({channel.src, channel.dst});
    picture.bends.push_back(bend == plot.bends.end()
                                ? std::nullopt
                                : std::optional(plot::PointPx{bend->second.x, bend->second.y}));
  }
  return picture;
}

std::vector<std::string> node_names_of(const sim::NocDevice& device) {
  std::vector<std::string> names;
  for (std::uint32_t node = 0; node < device.network.nodes(); ++node) {
    names.push_back(device.node_name(node));
  }
  return names;
}

std::vector<std::string> channel_names_of(const sim::NocDevice& device) {
  std::vector<std::string> names;
  for (noc::Link i = 0; i < device.network.channels().size(); ++i) {
    names.push_back(device.link_name(i));
  }
  return names;
}

}  // namespace kernbench::cosim
