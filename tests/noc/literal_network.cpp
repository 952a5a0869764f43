// SPDX-License-Identifier: Apache-2.0
#include "literal_network.hpp"

#include <tuple>

namespace kernbench::noc {

LiteralNetwork::LiteralNetwork(const Network& network)
    : network_(network),
      vcs_(network.sizes().vcs()),
      nodes_(network.nodes()),
      sent_(network.nodes()),
      taken_(network.nodes(), std::vector<bool>(vcs_)) {
  for (std::uint32_t n = 0; n < network.nodes(); ++n) {
    Node& node = nodes_[n];
    node.inputs.resize(network.inputs(n), std::vector<InputVc>(vcs_));
    node.outputs.resize(network.outputs(n));
    for (Output& output : node.outputs) {
      output.vcs.resize(vcs_);
      for (OutputVc& vc : output.vcs) vc.credits = network.sizes().slots;
      output.class_pointer.resize(network.sizes().classes);
    }
    node.credit_flop.resize(network.inputs(n), std::vector<bool>(vcs_));
    for (std::uint32_t p = 0; p < network.inputs(n); ++p) {
      node.flit_stages.emplace_back(network.stages(n, p));
      node.credit_stages.emplace_back(network.stages(n, p), std::vector<bool>(vcs_));
    }
  }
}

Link LiteralNetwork::link_in(std::uint32_t node, std::uint32_t input) const {
  if (input + 1 == network_.inputs(node)) {
    return static_cast<Link>(network_.channels().size()) + node;
  }
  return network_.incoming(node)[input];
}

std::vector<LinkFlit> LiteralNetwork::flits() const {
  std::vector<LinkFlit> all;
  for (const Node& node : nodes_) {
    for (const Output& output : node.outputs) {
      if (output.flop) all.push_back(*output.flop);
    }
  }
  return all;
}

std::vector<LinkCredit> LiteralNetwork::credits() const {
  std::vector<LinkCredit> all;
  for (std::uint32_t n = 0; n < nodes_.size(); ++n) {
    const Node& node = nodes_[n];
    for (std::uint32_t p = 0; p < node.inputs.size(); ++p) {
      const auto& stages = node.credit_stages[p];
      const std::vector<bool>& shown = stages.empty() ? node.credit_flop[p] : stages.front();
      for (std::uint32_t v = 0; v < vcs_; ++v) {
        if (shown[v]) all.push_back({link_in(n, p), v});
      }
    }
  }
  return all;
}

void LiteralNetwork::send(std::uint32_t node, std::uint32_t vc, Flit flit) {
  sent_[node] = LinkFlit{0, vc, flit};
}

void LiteralNetwork::take(std::uint32_t node, std::uint32_t vc) {
  taken_[node][vc] = true;
}

/// Rule 1: the head that a class of an output offers.
std::optional<LiteralNetwork::Front> LiteralNetwork::offered(std::uint32_t n, std::uint32_t output,
                                                             std::uint32_t vc_class) const {
  const Node& node = nodes_[n];
  const auto places = static_cast<std::uint32_t>(node.inputs.size()) * vcs_;
  for (std::uint32_t i = 0; i < places; ++i) {
    const std::uint32_t place = (node.outputs[output].class_pointer[vc_class] + i) % places;
    const Front front{place / vcs_, place % vcs_};
    const InputVc& input = node.inputs[front.input][front.vc];
    if (input.fifo.empty() || input.output || !network_.is_head(input.fifo.front())) continue;
    const auto way = network_.way(n, front.input, front.vc / network_.sizes().lanes,
                                  network_.destination(input.fifo.front()));
    if (way && way->output == output && way->vc_class == vc_class) return front;
  }
  return std::nullopt;
}

/// Rule 2: the candidate of an output VC.
std::optional<LiteralNetwork::Front> LiteralNetwork::candidate(std::uint32_t n, std::uint32_t o,
                                                               std::uint32_t v) const {
  const Output& output = nodes_[n].outputs[o];
  const OutputVc& vc = output.vcs[v];
  if (vc.holder) {
    const bool has_flit = !nodes_[n].inputs[vc.holder->input][vc.holder->vc].fifo.empty();
    return has_flit ? vc.holder : std::nullopt;
  }
  const std::uint32_t lanes = network_.sizes().lanes;
  const std::uint32_t vc_class = v / lanes;
  for (std::uint32_t i = 0; i < vcs_; ++i) {
    const std::uint32_t lane = (output.vc_pointer + i) % vcs_;
    if (lane == v) break;
    const bool is_free = !output.vcs[lane].holder && output.vcs[lane].credits != 0;
    if (lane / lanes == vc_class && is_free) return std::nullopt;
  }
  return vc.credits != 0 ? offered(n, o, vc_class) : std::nullopt;
}

/// Rule 3: what each output grants.
std::vector<LiteralNetwork::Grant> LiteralNetwork::grants(std::uint32_t n) const {
  std::vector<Grant> all;
  for (std::uint32_t o = 0; o < nodes_[n].outputs.size(); ++o) {
    const Output& output = nodes_[n].outputs[o];
    for (std::uint32_t i = 0; i < vcs_; ++i) {
      const std::uint32_t v = (output.vc_pointer + i) % vcs_;
      if (output.vcs[v].credits == 0) continue;
      if (const auto from = candidate(n, o, v)) {
        all.push_back({o, v, *from});
        break;
      }
    }
  }
  return all;
}

void LiteralNetwork::clock() {
  std::vector<std::vector<Grant>> granted;
  for (std::uint32_t n = 0; n < nodes_.size(); ++n) granted.push_back(grants(n));
  // Each node's outputs of this cycle reach the node at the other end.
  std::vector<std::vector<std::optional<LinkFlit>>> arriving;
  std::vector<std::vector<std::vector<bool>>> returned;
  for (std::uint32_t n = 0; n < nodes_.size(); ++n) {
    auto& flits = arriving.emplace_back();
    for (const std::uint32_t channel : network_.incoming(n)) {
      const Node& sender = nodes_[network_.channels()[channel].src];
      flits.push_back(sender.outputs[network_.output_of(channel)].flop);
    }
    flits.push_back(sent_[n]);
    auto& credits = returned.emplace_back();
    for (const std::uint32_t channel : network_.outgoing(n)) {
      const Node& receiver = nodes_[network_.channels()[channel].dst];
      const std::uint32_t p = network_.input_of(channel);
      const auto& stages = receiver.credit_stages[p];
      credits.push_back(stages.empty() ? receiver.credit_flop[p] : stages.front());
    }
    credits.push_back(taken_[n]);
  }
  // Rule 4, and the registers of the links.
  for (std::uint32_t n = 0; n < nodes_.size(); ++n) {
    Node& node = nodes_[n];
    const auto credit_flop = node.credit_flop;
    for (Output& output : node.outputs) output.flop.reset();
    for (auto& flop : node.credit_flop) flop.assign(vcs_, false);
    for (const Grant& grant : granted[n]) {
      Output& output = node.outputs[grant.output];
      OutputVc& vc = output.vcs[grant.vc];
      InputVc& input = node.inputs[grant.from.input][grant.from.vc];
      const Flit flit = input.fifo.front();
      input.fifo.pop_front();
      if (!vc.holder) {
        const std::uint32_t place = grant.from.input * vcs_ + grant.from.vc;
        output.class_pointer[grant.vc / network_.sizes().lanes] =
            (place + 1) % (static_cast<std::uint32_t>(node.inputs.size()) * vcs_);
      }
      vc.holder = grant.from;
      input.output = grant.output;
      input.output_vc = grant.vc;
      if (network_.is_tail(flit)) {
        vc.holder.reset();
        input.output.reset();
        input.output_vc.reset();
      }
      --vc.credits;
      output.vc_pointer = (grant.vc + 1) % vcs_;
      const bool is_local = grant.output + 1 == network_.outputs(n);
      const Link link = is_local ? static_cast<Link>(network_.channels().size()) + n
                                 : network_.outgoing(n)[grant.output];
      output.flop = LinkFlit{link, grant.vc, flit};
      node.credit_flop[grant.from.input][grant.from.vc] = true;
    }
    for (std::uint32_t p = 0; p < node.inputs.size(); ++p) {
      std::optional<LinkFlit> reaches = arriving[n][p];
      if (!node.flit_stages[p].empty()) {
        node.flit_stages[p].push_back(reaches);
        reaches = node.flit_stages[p].front();
        node.flit_stages[p].pop_front();
        node.credit_stages[p].push_back(credit_flop[p]);
        node.credit_stages[p].pop_front();
      }
      if (reaches) node.inputs[p][reaches->vc].fifo.push_back(reaches->flit);
    }
    for (std::uint32_t o = 0; o < node.outputs.size(); ++o) {
      for (std::uint32_t v = 0; v < vcs_; ++v) {
        if (returned[n][o][v]) ++node.outputs[o].vcs[v].credits;
      }
    }
  }
  sent_.assign(sent_.size(), std::nullopt);
  taken_.assign(taken_.size(), std::vector<bool>(vcs_));
}

}  // namespace kernbench::noc
