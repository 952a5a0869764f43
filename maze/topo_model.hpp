// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "maze/link_frame.hpp"
#include "maze/plane_rotation.hpp"

namespace kernbench::maze {

/// Cycle-accurate reference of `TOPO`: every link is a chain of IRS_LP stages between two nodes of
/// the torus. A cycle is `evaluate(inputs, outputs)`, then `clock(inputs)` at the rising edge.
/// While reset is held, `reset()` replaces `clock()`.
///
/// The model is bit-parallel over nodes. Each port and stage has two bit planes: "holds one packet
/// or more" and "holds two". Internal planes are indexed by the *receiving* node.
///
/// Packets are not copied from stage to stage. Seen from its ports, a chain of D two-entry stages
/// is a queue of at most 2D packets: the order of the packets alone determines which one leaves
/// next, and the bit planes alone determine when. So each link has one ring of more than 2D slots,
/// written when a packet enters the first stage and read when it leaves the last.
class TopoModel {
 public:
  /// Throws std::invalid_argument unless nx and ny are 2..16 and flit_w is 1..32.
  explicit TopoModel(const Shape& shape);

  [[nodiscard]] const Shape& shape() const { return shape_; }

  /// Empties every stage. All stages are ready afterwards.
  void reset();
  /// Computes the outputs of TOPO in this cycle. They are flop outputs, except on wires (depth 0),
  /// which follow the inputs in reset too. `outputs.in_payload` is written at least where
  /// `in_valid` is 1. Both arguments have this model's shape; bits of `inputs` past the last node
  /// are ignored.
  void evaluate(const TopoInputs& inputs, TopoOutputs& outputs) const;
  /// Applies the rising edge that samples `inputs`.
  void clock(const TopoInputs& inputs);

  /// Returns the IRS stages of every link of `port`.
  [[nodiscard]] unsigned depth(unsigned port) const { return ports_.at(port).depth; }

  // Observers of one stage, for coverage. They return a plane of shape().words() words, indexed by
  // receiving node and valid for the life of the model. Stage 0 is next to the sender. They throw
  // std::out_of_range unless `stage` is below depth(port).

  /// Nodes whose stage holds one packet or more.
  [[nodiscard]] const std::uint64_t* one_or_more(unsigned port, unsigned stage) const;
  /// Nodes whose stage holds two packets and so is full.
  [[nodiscard]] const std::uint64_t* two(unsigned port, unsigned stage) const;
  /// Nodes whose stage accepted a packet in the last clock(); 0 after reset().
  [[nodiscard]] const std::uint64_t* pushed(unsigned port, unsigned stage) const;
  /// Nodes whose stage forwarded a packet in the last clock(); 0 after reset().
  [[nodiscard]] const std::uint64_t* popped(unsigned port, unsigned stage) const;

  /// Returns the number of packets inside the fabric.
  [[nodiscard]] unsigned stored() const;
  [[nodiscard]] bool empty() const;

 private:
  struct Port {
    unsigned depth = 0;
    unsigned slot_bits = 0;     ///< each ring has 2^slot_bits slots, more than 2*depth
    std::size_t stages = 0;     ///< first word of the port's stages in one_ and two_
    std::size_t moves = 0;      ///< first word of the port's depth+1 boundaries in moves_
    std::size_t positions = 0;  ///< first ring position of the port in heads_ and tails_
    std::size_t ring = 0;       ///< first slot of node 0 in slots_
    PlaneRotation to_receiver;
    PlaneRotation to_sender;
  };

  void check_stage(unsigned port, unsigned stage) const;
  [[nodiscard]] const std::uint8_t* senders(unsigned port) const {
    return senders_.data() + std::size_t{port} * shape_.nodes();
  }

  template <unsigned kWords>
  void evaluate_words(const TopoInputs& inputs, TopoOutputs& outputs) const;
  template <unsigned kWords>
  void clock_words(const TopoInputs& inputs);
  template <unsigned kWords>
  void clock_stages(const Port& port, const std::uint64_t* valid, const std::uint64_t* ready);

  Shape shape_;
  std::vector<Port> ports_;
  std::vector<std::uint8_t> senders_;  ///< (port, receiving node) -> sending node
  std::vector<std::uint64_t> one_;
  std::vector<std::uint64_t> two_;
  std::vector<std::uint64_t> moves_;  ///< boundary s: packets into stage s, out of stage s-1
  std::vector<std::uint8_t> heads_;   ///< ring positions by receiving node, 64 for each plane word
  std::vector<std::uint8_t> tails_;
  std::vector<Payload> slots_;
};

}  // namespace kernbench::maze
