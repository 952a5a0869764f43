// SPDX-License-Identifier: Apache-2.0
#include "noc/network_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <stdexcept>

namespace kernbench::noc {
namespace {

constexpr Mask bit(std::uint32_t index) {
  return Mask{1} << index;
}

/// Returns the first set bit at or behind `from`, cyclically. `mask` is not 0.
std::uint32_t first_from(Mask mask, std::uint32_t from) {
  const Mask behind = mask >> from << from;
  return static_cast<std::uint32_t>(std::countr_zero(behind != 0 ? behind : mask));
}

}  // namespace

NetworkModel::NetworkModel(const Network& network)
    : network_(network),
      vcs_(network.sizes().vcs()),
      n_classes_(network.sizes().classes),
      lanes_(network.sizes().lanes),
      slots_(network.sizes().slots),
      first_input_(network.nodes()),
      first_output_(network.nodes()),
      sender_of_(network.channels().size() + network.nodes(), kNone),
      active_outputs_(network.nodes()),
      active_nodes_((network.nodes() + 63) / 64) {
  std::uint32_t inputs = 0;
  std::uint32_t outputs = 0;
  std::uint32_t longest = 0;
  for (std::uint32_t node = 0; node < network.nodes(); ++node) {
    first_input_[node] = inputs;
    first_output_[node] = outputs;
    inputs += network.inputs(node) * vcs_;
    outputs += network.outputs(node);
    for (std::uint32_t p = 0; p < network.inputs(node); ++p) {
      const std::uint32_t stages = network.stages(node, p);
      longest = std::max(longest, stages);
      const Link link = p + 1 == network.inputs(node) ? local(node) : network.incoming(node)[p];
      for (std::uint32_t v = 0; v < vcs_; ++v) {
        inputs_.push_back({.vc = static_cast<std::uint8_t>(v),
                           .stages = static_cast<std::uint8_t>(stages),
                           .link = link,
                           .node = node});
      }
    }
  }
  fifo_.resize(std::size_t{inputs} * slots_);
  outputs_.resize(outputs);
  output_vcs_.resize(std::size_t{outputs} * vcs_);
  classes_.resize(std::size_t{outputs} * n_classes_);
  wheel_.resize(std::bit_ceil(std::size_t{longest} + 2));
  for (std::uint32_t node = 0; node < network.nodes(); ++node) {
    for (std::uint32_t o = 0; o < network.outputs(node); ++o) {
      Output& output = outputs_[first_output_[node] + o];
      output.first_input = first_input_[node];
      output.input_vcs = static_cast<std::uint8_t>(network.inputs(node) * vcs_);
      if (o + 1 == network.outputs(node)) {
        output.link = local(node);
        output.arrives_at = kNone;
        continue;
      }
      output.link = network.outgoing(node)[o];
      const Channel& channel = network.channels()[output.link];
      output.arrives_at = first_input_[channel.dst] + network.input_of(output.link) * vcs_;
      output.stages = static_cast<std::uint8_t>(channel.stages);
      sender_of_[output.link] = first_output_[node] + o;
    }
  }
  for (std::uint32_t v = 0; v < vcs_; ++v) {
    class_of_vc_.push_back(static_cast<std::uint8_t>(v / lanes_));
  }
  fill_tables();
  reset();
}

void NetworkModel::fill_tables() {
  table_.resize(inputs_.size() * network_.nodes());
  for_each_used_way(network_, [this](std::uint32_t node, std::uint32_t input,
                                     std::uint32_t vc_class, std::uint32_t dst, Network::Way way) {
    const std::uint32_t first = first_input_[node] + input * vcs_ + vc_class * lanes_;
    for (std::uint32_t lane = 0; lane < lanes_; ++lane) {
      table_[std::size_t{first + lane} * network_.nodes() + dst] =
          static_cast<std::uint16_t>(way.output << 8 | way.vc_class);
    }
  });
}

void NetworkModel::reset() {
  for (InputVc& input : inputs_) {
    input.first = input.count = 0;
    input.output_vc = kNone;
  }
  std::fill(output_vcs_.begin(), output_vcs_.end(),
            OutputVc{kNobody, static_cast<std::uint16_t>(slots_)});
  std::fill(classes_.begin(), classes_.end(), Class{});
  std::fill(active_outputs_.begin(), active_outputs_.end(), 0);
  std::fill(active_nodes_.begin(), active_nodes_.end(), 0);
  const Mask every_vc = ~Mask{0} >> (64 - vcs_);
  for (Output& output : outputs_) {
    output.held = output.held_ready = output.asked = 0;
    output.has_credit = every_vc;
    output.pointer = 0;
  }
  for (Slot& slot : wheel_) {
    slot.flits.clear();
    slot.credits.clear();
  }
  flits_.clear();
  grants_.clear();
  taken_.clear();
  inside_ = 0;
}

void NetworkModel::send(std::uint32_t node, std::uint32_t vc, Flit flit) {
  const std::uint32_t input = network_.inputs(node) - 1;
  slot_in(network_.sizes().local_stages)
      .flits.push_back({first_input_[node] + input * vcs_ + vc, flit});
  ++inside_;
}

void NetworkModel::take(std::uint32_t node, std::uint32_t vc) {
  taken_.push_back({first_output_[node] + network_.outputs(node) - 1, vc});
}

void NetworkModel::clock() {
  for (const LinkFlit& sent : flits_) {
    if (sent.link >= network_.channels().size()) --inside_;
  }
  flits_.clear();
  grants_.clear();
  // All grants are of the state at the start of the cycle.
  for (std::size_t word = 0; word < active_nodes_.size(); ++word) {
    for (std::uint64_t left = active_nodes_[word]; left != 0; left &= left - 1) {
      grant(static_cast<std::uint32_t>(word * 64) +
            static_cast<std::uint32_t>(std::countr_zero(left)));
    }
  }
  Slot& now = wheel_[now_];
  for (const Arrival& arrival : now.flits) arrive(arrival);
  for (const LinkCredit& credit : now.credits) {
    if (sender_of_[credit.link] != kNone) add_credit(sender_of_[credit.link], credit.vc);
  }
  for (const CreditArrival& credit : taken_) add_credit(credit.output, credit.vc);
  now.flits.clear();
  now.credits.clear();
  taken_.clear();
  now_ = (now_ + 1) & (wheel_.size() - 1);
}

void NetworkModel::grant(std::uint32_t node) {
  for (Mask left = active_outputs_[node]; left != 0; left &= left - 1) {
    grant(node, first_output_[node] + static_cast<std::uint32_t>(std::countr_zero(left)));
  }
  for (const std::uint32_t input_vc : new_fronts_) show_front(node, input_vc);
  new_fronts_.clear();
  if (active_outputs_[node] == 0) active_nodes_[node / 64] &= ~bit(node % 64);
}

Mask NetworkModel::candidates(const Output& output) const {
  Mask candidates = output.held_ready & output.has_credit;
  const Mask free = output.has_credit & ~output.held;
  for (Mask left = output.asked; left != 0; left &= left - 1) {
    const auto vc_class = static_cast<std::uint32_t>(std::countr_zero(left));
    const Mask of_class = free & (~Mask{0} >> (64 - lanes_)) << (vc_class * lanes_);
    if (of_class != 0) candidates |= bit(first_from(of_class, output.pointer));
  }
  return candidates;
}

std::vector<std::uint32_t> NetworkModel::wanted(std::uint32_t node, std::uint32_t input_vc) const {
  const std::size_t index = first_input_[node] + input_vc;
  const InputVc& input = inputs_[index];
  if (input.count == 0) return {};
  if (input.output_vc != kNone) return {input.output_vc - first_output_[node] * vcs_};
  std::vector<std::uint32_t> all;
  for (std::uint32_t o = 0; o < network_.outputs(node); ++o) {
    for (std::uint32_t c = 0; c < n_classes_; ++c) {
      if ((requests(node, o, c) & bit(input_vc)) == 0) continue;
      for (std::uint32_t lane = 0; lane < lanes_; ++lane) {
        all.push_back(o * vcs_ + c * lanes_ + lane);
      }
    }
  }
  return all;
}

/// Grants one VC of an output, if one has a candidate and a credit.
void NetworkModel::grant(std::uint32_t node, std::uint32_t output_index) {
  Output& output = outputs_[output_index];
  const Mask ready = candidates(output);
  if (ready == 0) return;
  const std::uint32_t vc = first_from(ready, output.pointer);
  output.pointer = static_cast<std::uint8_t>(vc + 1 == vcs_ ? 0 : vc + 1);
  OutputVc& granted = output_vcs_[std::size_t{output_index} * vcs_ + vc];
  const bool is_held = (output.held & bit(vc)) != 0;
  const std::uint32_t input_vc = is_held ? granted.holder : take_head(output_index, vc);
  InputVc& input = inputs_[output.first_input + input_vc];
  const Flit flit = fifo_[std::size_t{output.first_input + input_vc} * slots_ + input.first];
  input.first = static_cast<std::uint8_t>(input.first + 1U == slots_ ? 0 : input.first + 1U);
  --input.count;
  if (--granted.credits == 0) output.has_credit &= ~bit(vc);
  if (!network_.is_tail(flit)) {
    output.held |= bit(vc);
    granted.holder = static_cast<std::uint8_t>(input_vc);
    input.output_vc = output_index * vcs_ + vc;
    output.held_ready &= ~bit(vc);
    if (input.count != 0) output.held_ready |= bit(vc);
  } else {
    if (is_held) {
      output.held &= ~bit(vc);
      output.held_ready &= ~bit(vc);
      granted.holder = kNobody;
      input.output_vc = kNone;
    }
    if (input.count != 0) new_fronts_.push_back(input_vc);
  }
  if ((output.held_ready | output.asked) == 0) {
    active_outputs_[node] &= ~bit(output_index - first_output_[node]);
  }
  flits_.push_back({output.link, vc, flit});
  grants_.push_back({node, input_vc, output_index - first_output_[node], vc, flit});
  if (output.arrives_at != kNone) {
    slot_in(output.stages + 1U).flits.push_back({output.arrives_at + vc, flit});
  }
  slot_in(input.stages + 1U).credits.push_back({input.link, input.vc});
}

/// Returns the input VC whose head takes a free VC of an output, and lets it ask no longer.
std::uint32_t NetworkModel::take_head(std::uint32_t output_index, std::uint32_t vc) {
  Output& output = outputs_[output_index];
  const std::uint32_t vc_class = class_of_vc_[vc];
  Class& heads = classes_[std::size_t{output_index} * n_classes_ + vc_class];
  const std::uint32_t input_vc = first_from(heads.requests, heads.pointer);
  heads.pointer = static_cast<std::uint8_t>(input_vc + 1U == output.input_vcs ? 0 : input_vc + 1U);
  heads.requests &= ~bit(input_vc);
  if (heads.requests == 0) output.asked &= ~bit(vc_class);
  return input_vc;
}

/// Lets the flit in front of an input VC ask for its output, if it is a head.
void NetworkModel::show_front(std::uint32_t node, std::uint32_t input_vc) {
  const std::size_t index = first_input_[node] + input_vc;
  const Flit flit = fifo_[index * slots_ + inputs_[index].first];
  if (!network_.is_head(flit)) return;
  const std::uint32_t dst = network_.destination(flit);
  const std::uint32_t entry = dst < network_.nodes() ? table_[index * network_.nodes() + dst] : 0;
  const std::uint32_t output = entry >> 8;
  const std::uint32_t vc_class = entry & 0xff;
  classes_[class_of(node, output, vc_class)].requests |= bit(input_vc);
  outputs_[first_output_[node] + output].asked |= bit(vc_class);
  active_outputs_[node] |= bit(output);
  active_nodes_[node / 64] |= bit(node % 64);
}

void NetworkModel::arrive(const Arrival& arrival) {
  InputVc& input = inputs_[arrival.input_vc];
  const std::uint32_t node = input.node;
  const std::uint32_t input_vc = arrival.input_vc - first_input_[node];
  if (input.count == slots_) {
    throw std::logic_error(fmt::format("a flit arrived at input {} of node {} without a credit",
                                       input_vc / vcs_, node));
  }
  const std::uint32_t place = input.first + input.count;
  fifo_[std::size_t{arrival.input_vc} * slots_ + (place >= slots_ ? place - slots_ : place)] =
      arrival.flit;
  if (input.count++ != 0) return;
  if (input.output_vc == kNone) {
    show_front(node, input_vc);
    return;
  }
  const std::uint32_t output = input.output_vc / vcs_;
  outputs_[output].held_ready |= bit(input.output_vc % vcs_);
  active_outputs_[node] |= bit(output - first_output_[node]);
  active_nodes_[node / 64] |= bit(node % 64);
}

void NetworkModel::add_credit(std::uint32_t output_index, std::uint32_t vc) {
  OutputVc& sender = output_vcs_[std::size_t{output_index} * vcs_ + vc];
  ++sender.credits;
  outputs_[output_index].has_credit |= bit(vc);
}

}  // namespace kernbench::noc
