#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "maze/link_frame.hpp"
#include "maze/plane_rotation.hpp"

namespace kernbench::maze {

/// Cycle-accurate reference of `TOPO`: every link a chain of IRS_LP stages between two nodes of the
/// torus. A cycle is `evaluate(inputs, outputs)`, then `clock(inputs)` at the rising edge; while
/// reset is held, `reset()` stands for the edge.
///
/// It computes on all nodes at once: per port and stage one bit plane says "holds one packet or
/// more" and one "holds two". Planes of the inside are indexed by the *receiving* node.
///
/// Packets do not travel from stage to stage. A chain of D two-entry stages is seen from its ports
/// as a queue of at most 2D packets: which entry leaves next depends on their order alone, and when
/// it leaves on the bit planes alone. So each link has one ring of more than 2D slots, written
/// where a packet enters the first stage and read where it leaves the last.
class TopoModel {
 public:
  /// Throws std::invalid_argument unless nx and ny are 2..16 and flit_w is 1..32.
  explicit TopoModel(const Shape& shape);

  [[nodiscard]] const Shape& shape() const { return shape_; }

  /// Empties every stage; all of them are ready afterwards.
  void reset();
  /// What TOPO drives in this cycle: flop outputs, except on wires (depth 0), which follow the
  /// inputs, in reset too. `outputs.in_payload` is written at least where `in_valid` is 1.
  /// Both arguments have this model's shape; bits of `inputs` past the last node are ignored.
  void evaluate(const TopoInputs& inputs, TopoOutputs& outputs) const;
  /// The rising edge at which `inputs` are sampled.
  void clock(const TopoInputs& inputs);

  /// IRS stages of every link of `port`.
  [[nodiscard]] unsigned depth(unsigned port) const { return ports_.at(port).depth; }

  // Observers of one stage, for coverage: a plane of shape().words() words indexed by receiving
  // node. Stage 0 is next to the sender; `stage` is below depth(port) or they throw
  // std::out_of_range. The pointers stay valid for the life of the model.

  /// Nodes whose stage holds one packet or more.
  [[nodiscard]] const std::uint64_t* one_or_more(unsigned port, unsigned stage) const;
  /// Nodes whose stage holds two packets: it is full.
  [[nodiscard]] const std::uint64_t* two(unsigned port, unsigned stage) const;
  /// Nodes whose stage took a packet in the last clock(); 0 after reset().
  [[nodiscard]] const std::uint64_t* pushed(unsigned port, unsigned stage) const;
  /// Nodes whose stage gave a packet away in the last clock(); 0 after reset().
  [[nodiscard]] const std::uint64_t* popped(unsigned port, unsigned stage) const;

  /// Packets inside the fabric.
  [[nodiscard]] unsigned stored() const;
  [[nodiscard]] bool empty() const;

 private:
  struct Port {
    unsigned depth = 0;
    unsigned slot_bits = 0;     ///< each ring has 2^slot_bits slots, more than 2*depth
    std::size_t stages = 0;     ///< first word of its stages in one_ and two_
    std::size_t moves = 0;      ///< first word of its depth+1 boundaries in moves_
    std::size_t positions = 0;  ///< first word of its ring positions in heads_ and tails_
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
  std::vector<std::uint64_t> moves_;  ///< boundary s: into stage s, out of stage s-1
  std::vector<std::uint8_t> heads_;   ///< ring positions by receiving node, 64 for each plane word
  std::vector<std::uint8_t> tails_;
  std::vector<Payload> slots_;
};

}  // namespace kernbench::maze
