// SPDX-License-Identifier: Apache-2.0
#include "sim/noc/noc_coverage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <string_view>

namespace kernbench::sim {
namespace {

constexpr std::array<std::string_view, kNocBins> kNames = {
    "route", "crosspoint", "full", "bubble", "no_credit", "ready", "turn", "packet", "all_credits"};

/// Returns how many of the rows can have a column of their own at the same time: the size of a
/// largest matching. `columns` are those of each row.
std::uint32_t matching(const std::vector<noc::Mask>& columns) {
  std::array<int, 64> row_of{};
  row_of.fill(-1);
  std::uint32_t size = 0;
  noc::Mask tried = 0;
  const std::function<bool(int)> place = [&](int row) {
    for (noc::Mask left = columns[static_cast<std::size_t>(row)]; left != 0; left &= left - 1) {
      const auto column = static_cast<std::size_t>(std::countr_zero(left));
      if ((tried >> column & 1U) != 0) continue;
      tried |= noc::Mask{1} << column;
      if (row_of[column] >= 0 && !place(row_of[column])) continue;
      row_of[column] = row;
      return true;
    }
    return false;
  };
  for (int row = 0; row < static_cast<int>(columns.size()); ++row) {
    tried = 0;
    size += place(row) ? 1 : 0;
  }
  return size;
}

/// The input VCs and output VCs of a node that packets use together.
struct Uses {
  std::vector<noc::Mask> outputs_of;  ///< by input VC: outputs
  std::vector<noc::Mask> inputs_of;   ///< by output VC: input VCs
};

}  // namespace

void NocBins::lay_out(NocBin kind, const std::vector<std::uint32_t>& rows,
                      const std::vector<std::uint32_t>& widths) {
  Group& group = groups_[static_cast<std::size_t>(kind)];
  group.width = widths;
  std::size_t places = 0;
  for (std::size_t node = 0; node < rows.size(); ++node) {
    group.first.push_back(places);
    places += std::size_t{rows[node]} * widths[node];
  }
  group.number.assign(places, kNone);
}

void NocBins::add(NocBin kind, std::uint32_t node, std::uint32_t a, std::uint32_t b) {
  Group& group = groups_[static_cast<std::size_t>(kind)];
  std::uint32_t& number = group.number[group.first[node] + a * group.width[node] + b];
  if (number != kNone) return;
  number = static_cast<std::uint32_t>(group.bins.size());
  group.bins.push_back({node, a, b});
}

NocBins::NocBins(const NocDevice& device) : device_(device) {
  const noc::Network& network = device.network;
  const std::uint32_t nodes = network.nodes();
  const std::uint32_t vcs = network.sizes().vcs();
  const std::uint32_t lanes = network.sizes().lanes;
  std::vector<std::uint32_t> input_vcs, output_vcs, inputs, outputs;
  for (std::uint32_t n = 0; n < nodes; ++n) {
    inputs.push_back(network.inputs(n));
    outputs.push_back(network.outputs(n));
    input_vcs.push_back(network.inputs(n) * vcs);
    output_vcs.push_back(network.outputs(n) * vcs);
  }
  const std::vector<std::uint32_t> one(nodes, 1);
  lay_out(NocBin::Route, input_vcs, std::vector<std::uint32_t>(nodes, nodes));
  lay_out(NocBin::Crosspoint, input_vcs, output_vcs);
  lay_out(NocBin::Full, input_vcs, one);
  lay_out(NocBin::Bubble, output_vcs, one);
  lay_out(NocBin::NoCredit, output_vcs, one);
  lay_out(NocBin::Ready, outputs, std::vector<std::uint32_t>(nodes, vcs + 1));
  lay_out(NocBin::Turn, output_vcs, input_vcs);
  lay_out(NocBin::Packet, one, std::vector<std::uint32_t>(nodes, 2));
  lay_out(NocBin::AllCredits, inputs, one);

  std::vector<Uses> uses;
  for (std::uint32_t n = 0; n < nodes; ++n) {
    uses.push_back({std::vector<noc::Mask>(input_vcs[n]), std::vector<noc::Mask>(output_vcs[n])});
  }
  noc::for_each_used_way(
      network, [&](std::uint32_t node, std::uint32_t input, std::uint32_t vc_class,
                   std::uint32_t dst, noc::Network::Way way) {
        for (std::uint32_t lane = 0; lane < lanes; ++lane) {
          const std::uint32_t in = input * vcs + vc_class * lanes + lane;
          add(NocBin::Route, node, in, dst);
          add(NocBin::Full, node, in, 0);
          for (std::uint32_t to = 0; to < lanes; ++to) {
            const std::uint32_t out = way.output * vcs + way.vc_class * lanes + to;
            add(NocBin::Crosspoint, node, in, out);
            add(NocBin::Bubble, node, out, 0);
            add(NocBin::NoCredit, node, out, 0);
            uses[node].outputs_of[in] |= noc::Mask{1} << way.output;
            uses[node].inputs_of[out] |= noc::Mask{1} << in;
          }
        }
      });
  for (std::uint32_t n = 0; n < nodes; ++n) {
    const Uses& use = uses[n];
    noc::Mask& used_inputs = used_inputs_.emplace_back(0);
    for (std::uint32_t in = 0; in < input_vcs[n]; ++in) {
      if (use.outputs_of[in] != 0) used_inputs |= noc::Mask{1} << in;
    }
    for (std::uint32_t o = 0; o < outputs[n]; ++o) {
      const auto first = use.inputs_of.begin() + o * vcs;
      const std::uint32_t most = matching({first, first + vcs});
      for (std::uint32_t count = 1; count <= most; ++count) add(NocBin::Ready, n, o, count);
      for (std::uint32_t v = 0; v < vcs; v += lanes) {
        const noc::Mask asking = use.inputs_of[o * vcs + v];
        if (std::popcount(asking) < 2) continue;
        for (noc::Mask left = asking; left != 0; left &= left - 1) {
          add(NocBin::Turn, n, o * vcs + v, static_cast<std::uint32_t>(std::countr_zero(left)));
        }
      }
    }
    for (std::uint32_t p = 0; p < inputs[n]; ++p) {
      std::vector<noc::Mask> used;
      for (std::uint32_t v = 0; v < vcs; ++v) {
        if (use.outputs_of[p * vcs + v] != 0) used.push_back(use.outputs_of[p * vcs + v]);
      }
      if (!used.empty() && matching(used) == used.size()) add(NocBin::AllCredits, n, p, 0);
    }
    if (!device.reached_from(n).empty()) {
      add(NocBin::Packet, n, 0, 0);
      add(NocBin::Packet, n, 0, 1);
    }
  }
}

std::string NocBins::name(NocBin kind, std::size_t number) const {
  const Bin& bin = groups_[static_cast<std::size_t>(kind)].bins[number];
  const std::uint32_t vcs = device_.network.sizes().vcs();
  const auto place = [&](const char* what, std::uint32_t vc) {
    return fmt::format("{} {} vc {}", what, vc / vcs, vc % vcs);
  };
  std::string text = fmt::format("node {}: ", device_.node_name(bin.node));
  switch (kind) {
    case NocBin::Route:
      return text + fmt::format("{}, no head for node {}", place("input", bin.a),
                                device_.node_name(bin.b));
    case NocBin::Crosspoint:
      return text + place("input", bin.a) + " never sent by " + place("output", bin.b);
    case NocBin::Full:
      return text + place("input", bin.a) + " never full";
    case NocBin::Bubble:
      return text + place("output", bin.a) + " never held without a flit";
    case NocBin::NoCredit:
      return text + place("output", bin.a) + " never held without a credit";
    case NocBin::Ready:
      return text + fmt::format("output {}, never {} virtual channels ready", bin.a, bin.b);
    case NocBin::Turn:
      return text + fmt::format("output {} class {}, never two heads behind the turn of {}",
                                bin.a / vcs, bin.a % vcs / device_.network.sizes().lanes,
                                place("input", bin.b));
    case NocBin::Packet:
      return text + (bin.b == 0 ? "no packet of one flit" : "no packet of several flits");
    case NocBin::AllCredits:
      break;
  }
  return text + fmt::format("input {}, never credits of all virtual channels at once", bin.a);
}

NocHits::NocHits(const NocBins& bins) {
  for (std::size_t kind = 0; kind < kNocBins; ++kind) {
    hit[kind].resize(bins.count(static_cast<NocBin>(kind)));
  }
}

void NocHits::merge(const NocHits& other) {
  for (std::size_t kind = 0; kind < kNocBins; ++kind) {
    hit[kind].resize(std::max(hit[kind].size(), other.hit[kind].size()));
    for (std::size_t i = 0; i < other.hit[kind].size(); ++i) hit[kind][i] |= other.hit[kind][i];
  }
}

CoverageSummary summary_of(const NocBins& bins, const NocHits& hits) {
  CoverageSummary summary;
  for (std::size_t kind = 0; kind < kNocBins; ++kind) {
    CoverageGroup group;
    group.name = kNames[kind];
    group.total = bins.count(static_cast<NocBin>(kind));
    for (std::size_t i = 0; i < group.total; ++i) {
      if (i < hits.hit[kind].size() && hits.hit[kind][i] != 0) {
        ++group.hit;
      } else {
        group.missed.push_back(bins.name(static_cast<NocBin>(kind), i));
      }
    }
    summary.groups.push_back(std::move(group));
  }
  return summary;
}

void NocCollector::hit(NocBin kind, std::uint32_t node, std::uint32_t a, std::uint32_t b) {
  const std::uint32_t number = bins_.find(kind, node, a, b);
  if (number != NocBins::kNone) hits_.hit[static_cast<std::size_t>(kind)][number] = 1;
}

/// Records the state of a node after the clock edge.
void NocCollector::sample(std::uint32_t node) {
  const noc::Network& network = bins_.device().network;
  const noc::Sizes& sizes = network.sizes();
  const std::uint32_t vcs = sizes.vcs();
  for (std::uint32_t in = 0; in < network.inputs(node) * vcs; ++in) {
    if (reference_.held(node, in) == sizes.slots) hit(NocBin::Full, node, in, 0);
  }
  for (std::uint32_t o = 0; o < network.outputs(node); ++o) {
    for (std::uint32_t v = 0; v < vcs; ++v) {
      const std::uint32_t holder = reference_.holder(node, o, v);
      if (holder == noc::NetworkModel::kNobody) continue;
      if (reference_.held(node, holder) == 0) hit(NocBin::Bubble, node, o * vcs + v, 0);
      if (reference_.credits_of(node, o, v) == 0) hit(NocBin::NoCredit, node, o * vcs + v, 0);
    }
    hit(NocBin::Ready, node, o,
        static_cast<std::uint32_t>(std::popcount(reference_.ready(node, o))));
    for (std::uint32_t c = 0; c < sizes.classes; ++c) {
      if (std::popcount(reference_.requests(node, o, c)) < 2) continue;
      const std::uint32_t turn = reference_.pointer(node, o, c);
      const std::uint32_t before = (turn == 0 ? network.inputs(node) * vcs : turn) - 1;
      hit(NocBin::Turn, node, o * vcs + c * sizes.lanes, before);
    }
  }
}

void NocCollector::on_cycle(const CycleView& view) {
  if (view.in_reset) return;
  const noc::Network& network = bins_.device().network;
  const std::uint32_t vcs = network.sizes().vcs();
  flits_.resize(network.channels().size());
  returned_.assign(network.nodes(), 0);
  for (const noc::Grant& grant : reference_.grants()) {
    hit(NocBin::Crosspoint, grant.node, grant.input_vc, grant.output * vcs + grant.vc);
    returned_[grant.node] |= noc::Mask{1} << grant.input_vc;
    if (grant.output + 1 != network.outputs(grant.node)) {
      ++flits_[network.outgoing(grant.node)[grant.output]];
    }
    if (!network.is_head(grant.flit)) continue;
    hit(NocBin::Route, grant.node, grant.input_vc, network.destination(grant.flit));
    if (grant.input_vc / vcs + 1 == network.inputs(grant.node)) {
      hit(NocBin::Packet, grant.node, 0, network.is_tail(grant.flit) ? 0 : 1);
    }
  }
  for (std::uint32_t node = 0; node < network.nodes(); ++node) {
    sample(node);
    if (returned_[node] == 0) continue;
    for (std::uint32_t p = 0; p < network.inputs(node); ++p) {
      const noc::Mask used = bins_.used_vcs(node, p);
      if (used != 0 && (returned_[node] & used) == used) hit(NocBin::AllCredits, node, p, 0);
    }
  }
}

}  // namespace kernbench::sim
