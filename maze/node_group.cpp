// SPDX-License-Identifier: Apache-2.0
#include "maze/node_group.hpp"

#include <algorithm>
#include <bit>

#include "maze/plane_bits.hpp"

namespace kernbench::maze {
namespace {

/// Returns true when a packet at this input can ask for this output, in some network.
bool is_legal(const NetworkConfig& config, unsigned output, unsigned input) {
  const Arrival to = NodeRoute::arrival(config.shape, output);
  switch (NodeRoute::arrival(config.shape, input)) {
    case Arrival::User:
      return true;
    case Arrival::X:
      return to != Arrival::X;
    case Arrival::Y:
      return to == Arrival::User || (to == Arrival::X && config.failed.has_value());
  }
  return false;
}

}  // namespace

void NodeGroup::Pair::move(std::uint64_t pops, std::uint64_t pushes, const Payload* packets) {
  for_each_bit(pops & next, [&](unsigned node) { first[node] = second[node]; });
  head = (head & ~pops) | next;
  next &= ~pops;
  for_each_bit(pushes, [&](unsigned node) {
    ((head >> node & 1U) != 0 ? second : first)[node] = packets[node];
  });
  next |= head & pushes;
  head |= pushes;
}

NodeGroup::NodeGroup(const NetworkConfig& config, unsigned word)
    : config_(config),
      layout_(config.shape),
      route_(config),
      word_(word),
      first_node_(word * 64),
      ports_(config.shape.ports() + 1),
      nodes_(config.shape.node_mask(word)),
      works_(nodes_),
      count_bits_(static_cast<unsigned>(std::bit_width(config.high_bound))),
      inputs_of_(ports_),
      outputs_of_(ports_),
      ready_(ports_),
      stages_(ports_),
      high_count_(std::size_t{ports_} * count_bits_) {
  if (config.failed && *config.failed / 64 == word) {
    works_ &= ~(std::uint64_t{1} << (*config.failed % 64));
  }
  for (unsigned output = 0; output < ports_; ++output) {
    for (unsigned input = 0; input < ports_; ++input) {
      if (!is_legal(config, output, input)) continue;
      inputs_of_[output].push_back(static_cast<std::uint8_t>(input));
      outputs_of_[input].push_back(static_cast<std::uint8_t>(output));
    }
  }
  for (Level& level : levels_) {
    level.queues.resize(ports_);
    level.touched.resize(ports_);
    level.asking.resize(ports_);
    for (Planes* planes : {&level.wants, &level.granted, &level.from}) {
      planes->resize(std::size_t{ports_} * ports_);
    }
  }
  reset();
}

void NodeGroup::reset() {
  for (Level& level : levels_) {
    for (Pair& queue : level.queues) queue.head = queue.next = 0;
    for (Planes* planes : {&level.touched, &level.wants, &level.granted}) {
      std::fill(planes->begin(), planes->end(), 0);
    }
    std::fill(level.from.begin(), level.from.end(), ~std::uint64_t{0});
    std::fill(level.asking.begin(), level.asking.end(), 0);
  }
  for (Pair& stage : stages_) stage.head = stage.next = 0;
  std::fill(ready_.begin(), ready_.end(), nodes_);
  std::fill(high_count_.begin(), high_count_.end(), 0);
  counting_ = 0;
  expands_ = 0;
}

void NodeGroup::evaluate(TopoInputs& links, TopoOutputs& users) const {
  for (unsigned port = 0; port < user_port(); ++port) {
    const Pair& stage = stages_[port];
    links.out_valid.port(port)[word_] = stage.head;
    links.in_ready.port(port)[word_] = ready_[port];
    Payload* packets = links.out_payload.port(port) + first_node_;
    for_each_bit(stage.head, [&](unsigned node) { packets[node] = stage.first[node]; });
  }
  const Pair& stage = stages_.back();
  users.out_ready[word_] = ready_.back() & works_;
  users.in_valid[word_] = stage.head & works_;
  Payload* packets = users.in_payload.data() + first_node_;
  for_each_bit(stage.head, [&](unsigned node) { packets[node] = stage.first[node]; });
}

void NodeGroup::clock(const TopoOutputs& links, const TopoInputs& users) {
  for (Level& level : levels_) std::fill(level.granted.begin(), level.granted.end(), 0);
  for (unsigned output = 0; output < user_port(); ++output) {
    arbitrate(output, links.out_ready.port(output)[word_]);
  }
  arbitrate(user_port(), users.in_ready[word_]);
  for (unsigned input = 0; input < user_port(); ++input) {
    clock_input(input, links.in_valid.port(input)[word_],
                links.in_payload.port(input) + first_node_);
  }
  clock_input(user_port(), users.out_valid[word_], users.out_payload.data() + first_node_);
}

/// Grants one packet in each node whose output stage has room, and clocks the stage.
void NodeGroup::arbitrate(unsigned output, std::uint64_t ready) {
  Level& low = levels_[0];
  Level& high = levels_[1];
  Pair& stage = stages_[output];
  const std::uint64_t pops = stage.head & ready & works_;
  std::uint64_t any_low = 0;
  std::uint64_t any_high = 0;
  for_each_bit(low.asking[output],
               [&](unsigned input) { any_low |= low.wants[cross(output, input)]; });
  for_each_bit(high.asking[output],
               [&](unsigned input) { any_high |= high.wants[cross(output, input)]; });
  const std::uint64_t take_low = any_low & (~any_high | at_bound(output));
  const std::uint64_t to_low = take_low & ~stage.next;
  const std::uint64_t to_high = any_high & ~take_low & ~stage.next;
  Packets packets;
  if (to_low != 0) grant(low, output, to_low, packets);
  if (to_high != 0) grant(high, output, to_high, packets);
  count_high(output, any_low, to_low, to_high);
  const std::uint64_t pushes = to_low | to_high;
  if ((pops | pushes) != 0) stage.move(pops, pushes, packets.data());
}

/// Grants one request of the level in each of these nodes: the first at or behind the start of the
/// search, else the first of all.
void NodeGroup::grant(Level& level, unsigned output, std::uint64_t nodes, Packets& packets) {
  const std::size_t row = cross(output, 0);
  const std::uint32_t asking = level.asking[output];
  std::uint64_t waiting = nodes;
  std::uint64_t* granted = level.granted.data() + row;
  for_each_bit(asking, [&](unsigned input) {
    granted[input] = level.wants[row + input] & level.from[row + input] & waiting;
    waiting &= ~granted[input];
  });
  if (waiting != 0) {
    for_each_bit(asking, [&](unsigned input) {
      const std::uint64_t first = level.wants[row + input] & waiting;
      granted[input] |= first;
      waiting &= ~first;
    });
  }
  if (!config_.fixed_priority) {
    std::uint64_t behind_winner = 0;
    for (const unsigned input : inputs_of_[output]) {
      level.from[row + input] = (level.from[row + input] & ~nodes) | behind_winner;
      behind_winner |= granted[input];
    }
  }
  for_each_bit(asking, [&](unsigned input) {
    const std::uint64_t won = granted[input];
    if (won == 0) return;
    level.wants[row + input] &= ~won;
    if (level.wants[row + input] == 0) level.asking[output] &= ~(1U << input);
    level.touched[input] |= won;
    const Packets& heads = level.queues[input].first;
    for_each_bit(won, [&](unsigned node) { packets[node] = heads[node]; });
  });
}

std::uint64_t NodeGroup::at_bound(unsigned output) const {
  if ((counting_ >> output & 1U) == 0) return 0;
  std::uint64_t equal = ~std::uint64_t{0};
  for (unsigned bit = 0; bit < count_bits_; ++bit) {
    const std::uint64_t plane = high_count_[std::size_t{output} * count_bits_ + bit];
    equal &= (config_.high_bound >> bit & 1U) != 0 ? plane : ~plane;
  }
  return equal;
}

/// Counts the high grants of nodes where a low packet waits; a low grant clears the counter.
void NodeGroup::count_high(unsigned output, std::uint64_t waits, std::uint64_t low,
                           std::uint64_t high) {
  std::uint64_t carry = high & waits;
  const bool counted = (counting_ >> output & 1U) != 0;
  if (carry == 0 && !counted) return;
  const std::uint64_t keep = waits & ~low;
  std::uint64_t any = 0;
  for (unsigned bit = 0; bit < count_bits_; ++bit) {
    std::uint64_t& plane = high_count_[std::size_t{output} * count_bits_ + bit];
    const std::uint64_t sum = plane ^ carry;
    carry &= plane;
    plane = sum & keep;
    any |= plane;
  }
  const std::uint32_t own = 1U << output;
  counting_ = any != 0 ? counting_ | own : counting_ & ~own;
}

/// Clocks the queues of an input: heads that owe no copy leave, packets that are valid enter.
void NodeGroup::clock_input(unsigned input, std::uint64_t valid, const Payload* packets) {
  valid &= works_;
  const auto& [low, high_level] = levels_;
  const bool rests = (valid | low.touched[input] | high_level.touched[input] |
                      low.queues[input].next | high_level.queues[input].next) == 0;
  if (rests && ready_[input] == nodes_) return;
  const std::uint64_t arriving = valid & ready_[input];
  const std::uint64_t refused = valid & ~ready_[input];
  std::uint64_t high = 0;
  for_each_bit(arriving,
               [&](unsigned node) { high |= std::uint64_t{layout_.qos(packets[node])} << node; });
  std::uint64_t full = 0;
  for (Level& level : levels_) {
    Pair& queue = level.queues[input];
    const std::uint64_t pushes = &level == &levels_[1] ? high : arriving & ~high;
    const std::uint64_t pops = level.touched[input] != 0 ? complete_heads(level, input) : 0;
    if ((pops | pushes) != 0) {
      const std::uint64_t shown = (pops & (queue.next | pushes)) | (pushes & ~queue.head);
      queue.move(pops, pushes, packets);
      for_each_bit(shown, [&](unsigned node) { show_head(level, input, node); });
    }
    full |= queue.next;
  }
  std::uint64_t ready = nodes_ & ~full;
  // A sender holds a refused packet, so the level that needs room is known.
  for_each_bit(refused & full, [&](unsigned node) {
    const Pair& own = levels_[layout_.qos(packets[node])].queues[input];
    ready |= (~own.next >> node & 1U) << node;
  });
  ready_[input] = ready;
  if (input != user_port() || !config_.failed) return;
  for_each_bit(arriving, [&](unsigned node) {
    if (route_.expands(packets[node])) expands_ |= std::uint64_t{1} << node;
  });
  ready_[input] &= ~expands_;
}

/// Returns the nodes whose head leaves its queue, among those that were granted a copy.
std::uint64_t NodeGroup::complete_heads(Level& level, unsigned input) {
  std::uint64_t done = level.touched[input];
  for (const unsigned output : outputs_of_[input]) done &= ~level.wants[cross(output, input)];
  level.touched[input] = 0;
  if (input == user_port() && (done & expands_) != 0) {
    // A multicast stays until its last copy has left.
    Packets& heads = level.queues[input].first;
    for_each_bit(done & expands_, [&](unsigned node) {
      if (!route_.expands(heads[node])) return;
      const std::uint64_t bit = std::uint64_t{1} << node;
      if (const auto next = route_.next_copy(heads[node], copy_[node] + 1U)) {
        copy_[node] = static_cast<std::uint16_t>(*next);
        heads[node] = route_.aimed_at(*next, heads[node]);
        request_outputs(level, input, node);
        done &= ~bit;
      } else {
        expands_ &= ~bit;
      }
    });
  }
  return done;
}

/// Prepares the packet that has become the head of a queue.
void NodeGroup::show_head(Level& level, unsigned input, unsigned node) {
  Payload& packet = level.queues[input].first[node];
  if (input == user_port() && route_.expands(packet)) {
    const unsigned copy = route_.next_copy(packet, 0).value_or(config_.shape.nodes());
    copy_[node] = static_cast<std::uint16_t>(copy);
    packet = route_.aimed_at(copy, packet);
  }
  request_outputs(level, input, node);
}

/// Asks for the outputs that the head of a queue goes to. A packet to nowhere is complete at once.
void NodeGroup::request_outputs(Level& level, unsigned input, unsigned node) {
  const Arrival from = NodeRoute::arrival(config_.shape, input);
  const std::uint32_t outputs =
      route_.outputs(from, first_node_ + node, level.queues[input].first[node]);
  const std::uint64_t bit = std::uint64_t{1} << node;
  for_each_bit(outputs, [&](unsigned output) {
    level.wants[cross(output, input)] |= bit;
    level.asking[output] |= 1U << input;
  });
  if (outputs == 0) level.touched[input] |= bit;
}

NodeState NodeGroup::state(unsigned node) const {
  const auto bit = [node](std::uint64_t plane) { return (plane >> node & 1U) != 0; };
  const auto held = [&](const Pair& pair) {
    const unsigned count = bit(pair.next) ? 2 : bit(pair.head) ? 1 : 0;
    return HeldPackets{count, pair.first[node], pair.second[node]};
  };
  NodeState state;
  state.inputs.resize(ports_);
  state.outputs.resize(ports_);
  state.expands = bit(expands_);
  state.copy = copy_[node];
  for (unsigned port = 0; port < ports_; ++port) {
    NodeState::Input& in = state.inputs[port];
    NodeState::Output& out = state.outputs[port];
    in.ready = bit(ready_[port]);
    out.stage = held(stages_[port]);
    for (unsigned i = 0; i < count_bits_; ++i) {
      const std::uint64_t plane = high_count_[std::size_t{port} * count_bits_ + i];
      out.high_count |= static_cast<unsigned>(plane >> node & 1U) << i;
    }
    for (std::size_t level = 0; level < kLevels; ++level) {
      const Level& one = levels_[level];
      in.levels[level].packets = held(one.queues[port]);
      for (unsigned output = 0; output < ports_; ++output) {
        in.levels[level].owed |= std::uint32_t{bit(one.wants[cross(output, port)])} << output;
      }
      // The search of an input that never asks begins where that of the next one does.
      bool from = true;
      for (unsigned input = ports_; input-- > 0;) {
        const auto& own = inputs_of_[port];
        if (std::find(own.begin(), own.end(), input) != own.end()) {
          from = bit(one.from[cross(port, input)]);
        }
        out.from[level] |= std::uint32_t{from} << input;
      }
    }
  }
  return state;
}

bool NodeGroup::empty() const {
  std::uint64_t held = 0;
  for (const Level& level : levels_) {
    for (const Pair& queue : level.queues) held |= queue.head;
  }
  for (const Pair& stage : stages_) held |= stage.head;
  return held == 0;
}

}  // namespace kernbench::maze
