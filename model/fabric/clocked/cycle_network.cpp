// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/clocked/cycle_network.hpp"

#include "maze/plane_bits.hpp"

namespace kernbench::model::fabric {

using maze::for_each_bit;

CycleNetwork::CycleNetwork(const maze::NetworkConfig& config, PacketObserver* observer)
    : model_(config),
      layout_(config.shape),
      observer_(observer),
      ports_(config.shape.ports() + 1),
      entries_(config.shape),
      before_(config.shape.words()) {
  for (Before& before : before_) before.owed.resize(maze::kLevels * ports_ * ports_);
}

void CycleNetwork::step(Edge edge, const maze::NetworkInputs& inputs,
                        maze::NetworkOutputs& outputs) {
  model_.evaluate(outputs);
  entries_.count(model_.from_nodes(), model_.to_nodes());
  if (observer_ == nullptr) {
    model_.clock(inputs);
  } else {
    clock_observed(edge, inputs);
  }
}

void CycleNetwork::clock_observed(Edge edge, const maze::NetworkInputs& inputs) {
  for (unsigned word = 0; word < before_.size(); ++word) look(word);
  model_.clock(inputs);
  for (unsigned word = 0; word < before_.size(); ++word) {
    for (std::size_t level = 0; level < maze::kLevels; ++level) {
      for (unsigned input = 0; input < ports_; ++input) report_grants(edge, word, level, input);
    }
  }
  report_arrivals(edge);
}

/// Notes what the heads of a group owe.
void CycleNetwork::look(unsigned word) {
  const maze::NodeGroup& group = model_.groups()[word];
  const unsigned port_a = ports_ - 1;
  for (std::size_t level = 0; level < maze::kLevels; ++level) {
    for (unsigned input = 0; input < ports_; ++input) {
      for (unsigned output = 0; output < ports_; ++output) {
        owed(word, level, input, output) = group.requests(level, output, input);
      }
    }
    std::uint64_t& multicasts = before_[word].multicasts[level];
    multicasts = 0;
    if (!config().failed) continue;
    for_each_bit(group.heads(level, port_a), [&](unsigned lane) {
      const bool expands = layout_.type(group.head(level, port_a, lane)) != 0;
      multicasts |= std::uint64_t{expands} << lane;
    });
  }
}

/// Reports the copies that heads of one queue of each node sent at the edge. The last copy of a
/// head is the one after which it owes nothing.
void CycleNetwork::report_grants(Edge edge, unsigned word, std::size_t level, unsigned input) {
  const maze::NodeGroup& group = model_.groups()[word];
  std::uint64_t rest = 0;  // heads that still owe a copy
  for (unsigned output = 0; output < ports_; ++output) {
    rest |= owed(word, level, input, output) & ~group.grants(level, output, input);
  }
  if (input == ports_ - 1) rest |= before_[word].multicasts[level] & group.expanding();
  std::uint64_t later = 0;  // heads that send another copy by an output further on
  for (unsigned output = ports_; output-- > 0;) {
    const std::uint64_t granted = group.grants(level, output, input);
    owed(word, level, input, output) = granted & ~rest & ~later;  // now: the last copies
    later |= granted;
  }
  for (unsigned output = 0; output < ports_; ++output) {
    const std::uint64_t last = owed(word, level, input, output);
    for_each_bit(group.grants(level, output, input), [&](unsigned lane) {
      observer_->on_forwarded(edge, word * 64 + lane, input, static_cast<Qos>(level), output,
                              (last >> lane & 1U) != 0);
    });
  }
}

void CycleNetwork::report_arrivals(Edge edge) {
  for (unsigned port = 0; port + 1 < ports_; ++port) {
    const std::uint64_t* const valid = model_.to_nodes().in_valid.port(port);
    const std::uint64_t* const ready = model_.from_nodes().in_ready.port(port);
    for (unsigned word = 0; word < before_.size(); ++word) {
      for_each_bit(valid[word] & ready[word], word, [&](unsigned node) {
        const unsigned qos = layout_.qos(model_.to_nodes().in_payload.at(port, node));
        observer_->on_arrived(edge, node, port, static_cast<Qos>(qos), true, false);
      });
    }
  }
}

}  // namespace kernbench::model::fabric
