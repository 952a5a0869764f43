// SPDX-License-Identifier: Apache-2.0
#include "maze/topo_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <stdexcept>

#include "maze/plane_bits.hpp"

namespace kernbench::maze {
namespace {

constexpr unsigned kMinSide = 2;
constexpr unsigned kMaxSide = 16;
constexpr unsigned kMaxFlitBits = 32;

/// Nodes of one plane word.
constexpr unsigned kLanes = 64;

/// Number of set lanes from which handling all 64 without a branch is faster than finding them.
constexpr int kDenseLanes = 24;

/// Up to this many lanes are handled one by one.
constexpr int kFewLanes = 4;

void check_shape(const Shape& shape) {
  const unsigned smallest = std::min(shape.nx, shape.ny);
  const unsigned largest = std::max(shape.nx, shape.ny);
  if (smallest < kMinSide || largest > kMaxSide) {
    throw std::invalid_argument(fmt::format("a MAZE Topo has {}..{} nodes a side, not {}x{}",
                                            kMinSide, kMaxSide, shape.nx, shape.ny));
  }
  if (shape.flit_w < 1 || shape.flit_w > kMaxFlitBits) {
    throw std::invalid_argument(
        fmt::format("a MAZE packet has 1..{} data bits, not {}", kMaxFlitBits, shape.flit_w));
  }
}

/// Returns the IRS stages of the links that lead `steps` nodes up a ring of `side` nodes.
unsigned link_depth(unsigned steps, unsigned side) {
  return std::min(steps, side - steps) - 1;
}

/// Table that expands 8 bits to 8 bytes of 0 or 1.
constexpr auto kBitsToBytes = [] {
  std::array<std::array<std::uint8_t, 8>, 256> table{};
  for (unsigned value = 0; value < 256; ++value) {
    for (unsigned bit = 0; bit < 8; ++bit) {
      table[value][bit] = static_cast<std::uint8_t>(value >> bit & 1U);
    }
  }
  return table;
}();

/// Advances the ring positions of the lanes in `which` by one slot. With many lanes, eight
/// positions are added as one 64-bit number; no position ever carries into its neighbour.
void advance(std::uint8_t* positions, std::uint64_t which, unsigned slot_bits) {
  std::uint64_t rest = which & (which - 1);
  for (int i = 1; i < kFewLanes; ++i) rest &= rest - 1;
  if (rest == 0) {
    const auto last = static_cast<std::uint8_t>((1U << slot_bits) - 1);
    for_each_bit(which, [&](unsigned lane) {
      positions[lane] = static_cast<std::uint8_t>((positions[lane] + 1U) & last);
    });
    return;
  }
  const std::uint64_t wrap = ((1U << slot_bits) - 1) * std::uint64_t{0x0101010101010101};
  for (unsigned i = 0; i < kLanes; i += 8, which >>= 8) {
    std::uint64_t eight = 0;
    std::uint64_t steps = 0;
    std::memcpy(&eight, positions + i, sizeof eight);
    std::memcpy(&steps, kBitsToBytes[which & 0xff].data(), sizeof steps);
    eight = (eight + steps) & wrap;
    std::memcpy(positions + i, &eight, sizeof eight);
  }
}

/// Calls `action(lane)` for all lanes. The compiler unrolls the inner loop, so that offsets of
/// lanes become constants.
template <class Action>
void for_all_lanes(Action action) {
  for (std::size_t first = 0; first < kLanes; first += 8) {
    for (std::size_t i = 0; i < 8; ++i) action(first + i);
  }
}

/// Returns true when all 64 lanes of a plane word should be handled at once. `full_word` must be
/// true only if all 64 nodes exist.
bool handle_whole(std::uint64_t lanes, bool full_word) {
  return full_word && std::popcount(lanes) >= kDenseLanes;
}

template <unsigned kSlotBits>
void read_all_heads(const Payload* ring, const std::uint8_t* heads, Payload* out) {
  for_all_lanes([&](std::size_t lane) { out[lane] = ring[(lane << kSlotBits) + heads[lane]]; });
}

/// Writes the slots at all tails. Lanes without a push are unaffected: the slot at a tail is free.
template <unsigned kSlotBits>
void write_all_tails(Payload* ring, const std::uint8_t* tails, const Payload* in,
                     const std::uint8_t* sender) {
  for_all_lanes(
      [&](std::size_t lane) { ring[(lane << kSlotBits) + tails[lane]] = in[sender[lane]]; });
}

/// Copies the packets at the heads of the `lanes` of one plane word.
void read_heads(std::uint64_t lanes, bool full_word, unsigned slot_bits, const Payload* ring,
                const std::uint8_t* heads, Payload* out) {
  if (handle_whole(lanes, full_word)) {
    switch (slot_bits) {
      case 2:
        return read_all_heads<2>(ring, heads, out);
      case 3:
        return read_all_heads<3>(ring, heads, out);
      default:
        return read_all_heads<4>(ring, heads, out);
    }
  }
  for_each_bit(lanes, [&](unsigned lane) {
    out[lane] = ring[(std::size_t{lane} << slot_bits) + heads[lane]];
  });
}

/// Stores the packets of the senders of `lanes` at the tails.
void write_tails(std::uint64_t lanes, bool full_word, unsigned slot_bits, Payload* ring,
                 const std::uint8_t* tails, const Payload* in, const std::uint8_t* sender) {
  if (handle_whole(lanes, full_word)) {
    switch (slot_bits) {
      case 2:
        return write_all_tails<2>(ring, tails, in, sender);
      case 3:
        return write_all_tails<3>(ring, tails, in, sender);
      default:
        return write_all_tails<4>(ring, tails, in, sender);
    }
  }
  for_each_bit(lanes, [&](unsigned lane) {
    ring[(std::size_t{lane} << slot_bits) + tails[lane]] = in[sender[lane]];
  });
}

/// Copies the packets that cross wires.
void copy_through(std::uint64_t lanes, bool full_word, const Payload* in,
                  const std::uint8_t* sender, Payload* out) {
  if (handle_whole(lanes, full_word)) {
    for_all_lanes([&](std::size_t lane) { out[lane] = in[sender[lane]]; });
    return;
  }
  for_each_bit(lanes, [&](unsigned lane) { out[lane] = in[sender[lane]]; });
}

}  // namespace

TopoModel::TopoModel(const Shape& shape) : shape_(shape) {
  check_shape(shape);
  const unsigned words = shape.words();
  std::size_t stages = 0;
  std::size_t moves = 0;
  std::size_t positions = 0;
  std::size_t slots = 0;
  for (unsigned p = 0; p < shape.ports(); ++p) {
    const bool along_x = p < shape.x_ports();
    const unsigned steps = along_x ? p + 1 : p - shape.x_ports() + 1;
    const unsigned side = along_x ? shape.nx : shape.ny;
    Port port{.depth = link_depth(steps, side),
              .stages = stages,
              .moves = moves,
              .positions = positions,
              .ring = slots,
              .to_receiver = PlaneRotation::to_receiver(shape, p),
              .to_sender = PlaneRotation::to_sender(shape, p)};
    for (unsigned node = 0; node < shape.nodes(); ++node) {
      const unsigned x = node % shape.nx;
      const unsigned y = node / shape.nx;
      const unsigned sender = along_x ? y * shape.nx + (x + side - steps) % side
                                      : (y + side - steps) % side * shape.nx + x;
      senders_.push_back(static_cast<std::uint8_t>(sender));
    }
    if (port.depth > 0) {
      port.slot_bits = static_cast<unsigned>(std::bit_width(2 * port.depth));
      stages += std::size_t{port.depth} * words;
      moves += std::size_t{port.depth + 1} * words;
      positions += std::size_t{words} * kLanes;
      slots += std::size_t{shape.nodes()} << port.slot_bits;
    }
    ports_.push_back(port);
  }
  one_.resize(stages);
  two_.resize(stages);
  moves_.resize(moves);
  heads_.resize(positions);
  tails_.resize(positions);
  slots_.resize(slots);
}

void TopoModel::reset() {
  // Old packets stay in the rings but cannot be read: the rings are empty.
  for (auto* planes : {&one_, &two_, &moves_}) std::fill(planes->begin(), planes->end(), 0);
  for (auto* positions : {&heads_, &tails_}) std::fill(positions->begin(), positions->end(), 0);
}

void TopoModel::evaluate(const TopoInputs& inputs, TopoOutputs& outputs) const {
  switch (shape_.words()) {
    case 1:
      return evaluate_words<1>(inputs, outputs);
    case 2:
      return evaluate_words<2>(inputs, outputs);
    case 3:
      return evaluate_words<3>(inputs, outputs);
    default:
      return evaluate_words<kMaxWords>(inputs, outputs);
  }
}

void TopoModel::clock(const TopoInputs& inputs) {
  switch (shape_.words()) {
    case 1:
      return clock_words<1>(inputs);
    case 2:
      return clock_words<2>(inputs);
    case 3:
      return clock_words<3>(inputs);
    default:
      return clock_words<kMaxWords>(inputs);
  }
}

template <unsigned kWords>
void TopoModel::evaluate_words(const TopoInputs& inputs, TopoOutputs& outputs) const {
  for (unsigned p = 0; p < ports_.size(); ++p) {
    const Port& port = ports_[p];
    std::uint64_t* valid = outputs.in_valid.port(p);
    std::uint64_t* ready = outputs.out_ready.port(p);
    Payload* payload = outputs.in_payload.port(p);
    if (port.depth == 0) {
      port.to_receiver.apply<kWords>(inputs.out_valid.port(p), valid);
      port.to_sender.apply<kWords>(inputs.in_ready.port(p), ready);
    } else {
      std::uint64_t not_full[kWords];
      for (unsigned w = 0; w < kWords; ++w) {
        not_full[w] = ~two_[port.stages + w];
        valid[w] = one_[port.stages + std::size_t{port.depth - 1} * kWords + w];
      }
      port.to_sender.apply<kWords>(not_full, ready);
    }
    for (unsigned w = 0; w < kWords; ++w) {
      if (valid[w] == 0) continue;
      const std::size_t node = std::size_t{w} * kLanes;
      const bool full_word = node + kLanes <= shape_.nodes();
      if (port.depth == 0) {
        copy_through(valid[w], full_word, inputs.out_payload.port(p), senders(p) + node,
                     payload + node);
      } else {
        read_heads(valid[w], full_word, port.slot_bits,
                   slots_.data() + port.ring + (node << port.slot_bits),
                   heads_.data() + port.positions + node, payload + node);
      }
    }
  }
}

template <unsigned kWords>
void TopoModel::clock_words(const TopoInputs& inputs) {
  for (unsigned p = 0; p < ports_.size(); ++p) {
    const Port& port = ports_[p];
    if (port.depth == 0) continue;
    std::uint64_t valid[kWords];
    port.to_receiver.apply<kWords>(inputs.out_valid.port(p), valid);
    clock_stages<kWords>(port, valid, inputs.in_ready.port(p));

    const std::uint64_t* entered = moves_.data() + port.moves;
    const std::uint64_t* left = entered + std::size_t{port.depth} * kWords;
    for (unsigned w = 0; w < kWords; ++w) {
      const std::size_t node = std::size_t{w} * kLanes;
      const std::size_t positions = port.positions + node;
      if (entered[w] != 0) {
        write_tails(entered[w], node + kLanes <= shape_.nodes(), port.slot_bits,
                    slots_.data() + port.ring + (node << port.slot_bits), tails_.data() + positions,
                    inputs.out_payload.port(p), senders(p) + node);
        advance(tails_.data() + positions, entered[w], port.slot_bits);
      }
      if (left[w] != 0) advance(heads_.data() + positions, left[w], port.slot_bits);
    }
  }
}

/// Computes the next state of all stages of one port, in ascending order: a stage depends on its
/// own state, on the packets moved into it, and on the old state of the next stage.
template <unsigned kWords>
void TopoModel::clock_stages(const Port& port, const std::uint64_t* valid,
                             const std::uint64_t* ready) {
  std::uint64_t* one = one_.data() + port.stages;
  std::uint64_t* two = two_.data() + port.stages;
  std::uint64_t* move = moves_.data() + port.moves;
  for (unsigned w = 0; w < kWords; ++w) move[w] = valid[w] & ~two[w];
  for (unsigned s = 0; s < port.depth; ++s, one += kWords, two += kWords, move += kWords) {
    const bool last = s + 1 == port.depth;
    for (unsigned w = 0; w < kWords; ++w) {
      const std::uint64_t push = move[w];
      const std::uint64_t pop = one[w] & (last ? ready[w] : ~two[kWords + w]);
      const std::uint64_t held = one[w];
      one[w] = push | two[w] | (held & ~pop);
      two[w] = (two[w] | (held & push)) & ~pop;
      move[kWords + w] = pop;
    }
  }
}

void TopoModel::check_stage(unsigned port, unsigned stage) const {
  if (stage >= depth(port)) {
    throw std::out_of_range(fmt::format("port {} has no IRS stage {}", port, stage));
  }
}

const std::uint64_t* TopoModel::one_or_more(unsigned port, unsigned stage) const {
  check_stage(port, stage);
  return one_.data() + ports_[port].stages + std::size_t{stage} * shape_.words();
}

const std::uint64_t* TopoModel::two(unsigned port, unsigned stage) const {
  check_stage(port, stage);
  return two_.data() + ports_[port].stages + std::size_t{stage} * shape_.words();
}

const std::uint64_t* TopoModel::pushed(unsigned port, unsigned stage) const {
  check_stage(port, stage);
  return moves_.data() + ports_[port].moves + std::size_t{stage} * shape_.words();
}

const std::uint64_t* TopoModel::popped(unsigned port, unsigned stage) const {
  check_stage(port, stage);
  return moves_.data() + ports_[port].moves + std::size_t{stage + 1} * shape_.words();
}

unsigned TopoModel::stored() const {
  int packets = 0;
  for (const auto* plane : {&one_, &two_}) {
    for (const std::uint64_t word : *plane) packets += std::popcount(word);
  }
  return static_cast<unsigned>(packets);
}

bool TopoModel::empty() const {
  return std::all_of(one_.begin(), one_.end(), [](std::uint64_t word) { return word == 0; });
}

}  // namespace kernbench::maze
