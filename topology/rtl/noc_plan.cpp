// SPDX-License-Identifier: Apache-2.0
#include "topology/rtl/noc_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cctype>
#include <cmath>
#include <string_view>

#include "common/diagnostics.hpp"
#include "topology/zoo/routing/dependency_check.hpp"
#include "topology/zoo/zoo_export.hpp"

namespace kernbench::topology {
namespace {

bool is_module_name(std::string_view name) {
  return !name.empty() && std::isdigit(static_cast<unsigned char>(name.front())) == 0 &&
         std::ranges::all_of(name,
                             [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
}

std::uint32_t smallest_flit(std::uint32_t nodes, std::uint32_t payload) {
  return 2 + bits_for(nodes) + payload;
}

/// Adds the error of a value outside its range.
void check_noc_range(common::Diagnostics& wrong, std::string_view what, std::uint32_t value,
                     std::uint32_t least, std::uint32_t most) {
  if (value >= least && value <= most) return;
  wrong.error({}, fmt::format("{} must be {} to {}, not {}", what, least, most, value));
}

void check_noc_options(common::Diagnostics& wrong, const NocPlan& plan, std::uint32_t nodes) {
  const NocOptions& options = plan.options;
  check_noc_range(wrong, "the number of lanes", options.lanes, 1, kMaxNocInputVcs);
  check_noc_range(wrong, "the number of slots", options.slots, 1, kMaxNocSlots);
  check_noc_range(wrong, "the number of register stages", options.stages, 0, kMaxNocStages);
  const std::uint32_t least = smallest_flit(std::min(nodes, kMaxNocNodes), 0);
  if (options.flit_bits < least || options.flit_bits > kMaxNocFlitBits) {
    wrong.error({}, fmt::format("a flit must have {} to {} bits, not {}: head, tail and the number "
                                "of one of {} nodes",
                                least, kMaxNocFlitBits, options.flit_bits, nodes));
  }
  if (!is_module_name(options.module)) {
    wrong.error({}, fmt::format("'{}' is not a name of SystemVerilog: letters, digits and _",
                                options.module));
  }
}

/// Returns the register stages of a channel of this length, so that no wire is longer than `wire`.
std::uint32_t stages_of_length(double length, double wire) {
  constexpr double kSlack = 1e-9;  // of sums of coordinates
  const double wires = std::ceil(length / wire - kSlack);
  return wires <= 1 ? 0 : static_cast<std::uint32_t>(std::min(wires - 1, 1e6));
}

double length_of(const zoo::Plot& plot, const zoo::Channel& channel) {
  const zoo::Point along = plot.nodes[channel.dst].at - plot.nodes[channel.src].at;
  return std::hypot(along.x, along.y);
}

/// Sets the register stages of each channel: those of its file, of its length, or of all.
void set_stages(NocPlan& plan, const zoo::BaseTopology& topology, common::Diagnostics& wrong) {
  const zoo::Plot plot = plan.options.wire > 0 ? topology.layout() : zoo::Plot{};
  for (const zoo::Channel& channel : plan.channels) {
    std::uint32_t stages = plan.options.stages;
    if (channel.stages) {
      stages = *channel.stages;
    } else if (plan.options.wire > 0) {
      stages = stages_of_length(length_of(plot, channel), plan.options.wire);
    }
    if (stages > kMaxNocStages && stages != plan.options.stages) {
      wrong.error({},
                  fmt::format("{}: channel {} of length {:.4g} has {} register stages at "
                              "wires of {:.4g}; the RTL has at most {}",
                              plan.topology, zoo::channel_name(topology, channel),
                              length_of(plot, channel), stages, plan.options.wire, kMaxNocStages));
    }
    plan.stages.push_back(stages);
  }
}

/// Adds one error for all nodes whose `count` is larger than the RTL allows.
template <typename Count>
void check_noc_nodes(common::Diagnostics& wrong, const NocPlan& plan,
                     const zoo::BaseTopology& topology, std::string_view what, std::uint32_t most,
                     Count count) {
  std::size_t found = 0;
  std::uint32_t first = 0;
  for (std::uint32_t n = plan.n_nodes(); n-- > 0;) {
    if (count(plan.nodes[n]) <= most) continue;
    ++found;
    first = n;
  }
  if (found == 0) return;
  wrong.error(
      {},
      fmt::format("{}: node {} has {} {}{}; the RTL has at most {}", plan.topology,
                  topology.node_name(first), count(plan.nodes[first]), what,
                  found == 1 ? "" : fmt::format(", and {} more have too many", found - 1), most));
}

void check_noc_ports(common::Diagnostics& wrong, const NocPlan& plan,
                     const zoo::BaseTopology& topology) {
  check_noc_nodes(wrong, plan, topology, "inputs with the local one", kMaxNocPorts,
                  [](const NocNodePlan& node) { return node.inputs(); });
  check_noc_nodes(wrong, plan, topology, "outputs with the local one", kMaxNocPorts,
                  [](const NocNodePlan& node) { return node.outputs(); });
  check_noc_nodes(wrong, plan, topology, "virtual channels of inputs", kMaxNocInputVcs,
                  [&](const NocNodePlan& node) { return node.inputs() * plan.vcs(); });
}

/// Writes the entries that the preferred routes need.
class TableWriter {
 public:
  TableWriter(NocPlan& plan, const zoo::RoutingRelation& relation)
      : plan_(plan), relation_(relation) {
    in_.resize(plan.channels.size());
    out_.resize(plan.channels.size());
    for (NocNodePlan& node : plan.nodes) {
      for (std::uint32_t p = 0; p < node.in.size(); ++p) in_[node.in[p]] = p;
      for (std::uint32_t p = 0; p < node.out.size(); ++p) out_[node.out[p]] = p;
      node.table.assign(std::size_t{node.inputs()} * plan.vcs() * plan.n_nodes(), 0);
    }
  }

  void write() {
    for (std::uint32_t src = 0; src < plan_.n_nodes(); ++src) {
      for (std::uint32_t dst = 0; dst < plan_.n_nodes(); ++dst) write_route(src, dst);
    }
  }

 private:
  void write_route(std::uint32_t src, std::uint32_t dst) {
    const std::vector<zoo::Hop> route =
        src == dst ? std::vector<zoo::Hop>() : zoo::preferred_route(relation_, src, dst);
    if (route.empty() && src != dst) return;
    // A packet enters by any virtual channel, and then stays in the class of its last hop.
    std::uint32_t at = src;
    std::uint32_t input = plan_.nodes[src].inputs() - 1;
    std::uint32_t first = 0;
    std::uint32_t count = plan_.vcs();
    for (const zoo::Hop& hop : route) {
      for (std::uint32_t v = first; v < first + count; ++v) {
        entry(at, input, v, dst) = out_[hop.channel] * plan_.classes + hop.vc;
      }
      at = plan_.channels[hop.channel].dst;
      input = in_[hop.channel];
      first = hop.vc * plan_.options.lanes;
      count = plan_.options.lanes;
    }
    for (std::uint32_t v = first; v < first + count; ++v) {
      entry(at, input, v, dst) =
          (plan_.nodes[at].outputs() - 1) * plan_.classes + v / plan_.options.lanes;
    }
  }

  std::uint32_t& entry(std::uint32_t at, std::uint32_t input, std::uint32_t v, std::uint32_t dst) {
    return plan_.nodes[at].table[(std::size_t{input} * plan_.vcs() + v) * plan_.n_nodes() + dst];
  }

  NocPlan& plan_;
  const zoo::RoutingRelation& relation_;
  std::vector<std::uint32_t> in_, out_;  ///< number of a channel's port at its end, by channel
};

}  // namespace

std::uint32_t bits_for(std::uint32_t values) {
  return values <= 2 ? 1 : static_cast<std::uint32_t>(std::bit_width(values - 1));
}

std::vector<std::uint32_t> NocPlan::stages_of(const NocNodePlan& node) const {
  std::vector<std::uint32_t> of_inputs;
  for (const std::uint32_t channel : node.in) of_inputs.push_back(stages[channel]);
  of_inputs.push_back(options.stages);
  return of_inputs;
}

std::uint32_t NocPlan::key_bits(const NocNodePlan& node) const {
  return bits_for(node.outputs() * classes);
}

std::string stages_text(const NocPlan& plan) {
  const auto [least, most] = std::ranges::minmax_element(plan.stages);
  if (plan.stages.empty() || *least == *most) {
    return std::to_string(plan.stages.empty() ? plan.options.stages : *least);
  }
  return fmt::format("{} to {}", *least, *most);
}

NocPlan plan_noc(const zoo::RoutingRelation& relation, const NocOptions& options) {
  const zoo::BaseTopology& topology = relation.topology();
  const std::uint32_t nodes = topology.n_nodes();
  NocPlan plan{.topology = topology.name(),
               .relation = relation.name(),
               .options = options,
               .classes = relation.n_vcs(),
               .channels = topology.channels(),
               .stages = {},
               .nodes = std::vector<NocNodePlan>(nodes)};
  if (options.flit_bits == 0) {
    plan.options.flit_bits = smallest_flit(std::min(nodes, kMaxNocNodes), kNocPayloadBits);
  }
  for (std::uint32_t c = 0; c < plan.channels.size(); ++c) {
    plan.nodes[plan.channels[c].src].out.push_back(c);
    plan.nodes[plan.channels[c].dst].in.push_back(c);
  }

  common::Diagnostics wrong;
  check_noc_options(wrong, plan, nodes);
  if (nodes > kMaxNocNodes) {
    wrong.error({}, fmt::format("{}: {} nodes; the RTL has at most {}", plan.topology, nodes,
                                kMaxNocNodes));
  }
  check_noc_ports(wrong, plan, topology);
  set_stages(plan, topology, wrong);
  wrong.throw_if_any();
  const zoo::RoutingCheck check = zoo::check_routing(relation);
  if (!check.deadlock_free()) {
    throw common::BadInput(fmt::format("{}: the routes can deadlock: {}", plan.topology,
                                       zoo::cycle_text(topology, check.cycle)));
  }
  TableWriter(plan, relation).write();
  return plan;
}

}  // namespace kernbench::topology
