// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "noc/network.hpp"

namespace kernbench::noc {

/// A link as inputs and outputs name it: channel i of the network, or channels().size() + n for the
/// local link of node n.
using Link = std::uint32_t;

/// A flit on a link in one cycle.
struct LinkFlit {
  Link link = 0;
  std::uint32_t vc = 0;
  Flit flit = 0;
  friend constexpr bool operator==(const LinkFlit&, const LinkFlit&) = default;
};

/// A credit on the way back to the sender of a link, in one cycle.
struct LinkCredit {
  Link link = 0;
  std::uint32_t vc = 0;
  friend constexpr bool operator==(const LinkCredit&, const LinkCredit&) = default;
};

/// One grant of a router: the flit in front of an input VC (p*V + v) leaves by a virtual channel of
/// an output.
struct Grant {
  std::uint32_t node = 0;
  std::uint32_t input_vc = 0;
  std::uint32_t output = 0;
  std::uint32_t vc = 0;
  Flit flit = 0;
};

/// Cycle-accurate reference of NOC_TOP. In each cycle the caller may look at what the nodes drive,
/// then sets what the users drive, and calls clock(). Costs a cycle as much as flits move in it.
class NetworkModel {
 public:
  /// `network` must outlive the model.
  explicit NetworkModel(const Network& network);

  [[nodiscard]] const Network& network() const { return network_; }
  /// Returns the local link of a node.
  [[nodiscard]] Link local(std::uint32_t node) const {
    return static_cast<Link>(network_.channels().size()) + node;
  }

  /// Returns what the outputs of all nodes drive in this cycle: flits as they leave a router,
  /// before the registers of their link, in the order of nodes and outputs. A local link is port B
  /// here.
  [[nodiscard]] std::span<const LinkFlit> flits() const { return flits_; }
  /// Returns the credits of all nodes in this cycle, behind the registers of their links, in no
  /// order. A local link is port A here.
  [[nodiscard]] std::span<const LinkCredit> credits() const { return wheel_[now_].credits; }

  /// Returns the grants of the last clock(), in the order of flits().
  [[nodiscard]] std::span<const Grant> grants() const { return grants_; }

  /// Sends a flit into port A of a node in this cycle, at most one for each node.
  void send(std::uint32_t node, std::uint32_t vc, Flit flit);
  /// Returns a credit at port B of a node in this cycle.
  void take(std::uint32_t node, std::uint32_t vc);
  /// Applies the rising edge. Throws std::logic_error when a flit arrives at an input without a
  /// free slot: its sender had no credit.
  void clock();
  /// Puts the state in which rst_n leaves the network. What send() and take() have set is dropped.
  void reset();

  /// Returns true when no flit is in a router or in the registers of a link, and none leaves one.
  [[nodiscard]] bool empty() const { return inside_ == 0; }

  // Parts of the state, as coverage and reports need it. An input VC is p*V + v.
  [[nodiscard]] std::uint32_t held(std::uint32_t node, std::uint32_t input_vc) const {
    return inputs_[first_input_[node] + input_vc].count;
  }
  [[nodiscard]] std::uint32_t credits_of(std::uint32_t node, std::uint32_t output,
                                         std::uint32_t vc) const {
    return output_vcs_[output_vc(node, output, vc)].credits;
  }
  /// Returns the input VC whose packet holds an output VC, or kNobody.
  static constexpr std::uint32_t kNobody = 0xff;
  [[nodiscard]] std::uint32_t holder(std::uint32_t node, std::uint32_t output,
                                     std::uint32_t vc) const {
    return output_vcs_[output_vc(node, output, vc)].holder;
  }
  /// Returns the output VCs (o*V + v) that the packet in front of an input VC can leave by: the one
  /// that it holds, or all of the class for which its head asks. Empty without a packet in front.
  [[nodiscard]] std::vector<std::uint32_t> wanted(std::uint32_t node, std::uint32_t input_vc) const;
  /// Returns the VCs of an output that have a candidate and a credit in this cycle.
  [[nodiscard]] Mask ready(std::uint32_t node, std::uint32_t output) const {
    return candidates(outputs_[first_output_[node] + output]);
  }
  /// Returns the input VCs whose heads ask for a class of an output.
  [[nodiscard]] Mask requests(std::uint32_t node, std::uint32_t output,
                              std::uint32_t vc_class) const {
    return classes_[class_of(node, output, vc_class)].requests;
  }
  /// Returns the place from which the class looks for its next head, an input VC.
  [[nodiscard]] std::uint32_t pointer(std::uint32_t node, std::uint32_t output,
                                      std::uint32_t vc_class) const {
    return classes_[class_of(node, output, vc_class)].pointer;
  }

 private:
  static constexpr std::uint32_t kNone = 0xffff'ffff;

  /// FIFO of one virtual channel of an input, with what never changes about it beside.
  struct InputVc {
    std::uint8_t first = 0, count = 0;
    std::uint8_t vc = 0;
    std::uint8_t stages = 0;          ///< registers of its link
    std::uint32_t output_vc = kNone;  ///< index of the output VC that the packet in front holds
    Link link = 0;
    std::uint32_t node = 0;
  };
  struct OutputVc {
    std::uint8_t holder = kNobody;
    std::uint16_t credits = 0;
  };
  struct Class {
    Mask requests = 0;
    std::uint8_t pointer = 0;
  };
  struct Output {
    Mask held = 0;        ///< VCs that packets hold
    Mask held_ready = 0;  ///< those with a flit in front
    Mask has_credit = 0;  ///< VCs with a credit
    Mask asked = 0;       ///< classes for which a head asks
    std::uint8_t pointer = 0;
    Link link = 0;
    std::uint32_t arrives_at = 0;  ///< index of the first input VC at the other end; kNone: port B
    std::uint8_t stages = 0;
    std::uint8_t input_vcs = 0;     ///< of its node
    std::uint32_t first_input = 0;  ///< index of the first of them in inputs_
  };
  struct Arrival {
    std::uint32_t input_vc;  ///< index in inputs_
    Flit flit;
  };
  struct CreditArrival {
    std::uint32_t output;  ///< index in outputs_
    std::uint32_t vc;
  };
  /// Flits and credits that arrive in one cycle.
  struct Slot {
    std::vector<Arrival> flits;
    std::vector<LinkCredit> credits;
  };

  [[nodiscard]] std::size_t output_vc(std::uint32_t node, std::uint32_t output,
                                      std::uint32_t vc) const {
    return std::size_t{first_output_[node] + output} * vcs_ + vc;
  }
  [[nodiscard]] std::size_t class_of(std::uint32_t node, std::uint32_t output,
                                     std::uint32_t vc_class) const {
    return std::size_t{first_output_[node] + output} * n_classes_ + vc_class;
  }
  /// Returns what arrives in so many cycles, less than wheel_.size().
  [[nodiscard]] Slot& slot_in(std::uint32_t cycles) {
    return wheel_[(now_ + cycles) & (wheel_.size() - 1)];
  }

  [[nodiscard]] Mask candidates(const Output& output) const;
  void fill_tables();
  void grant(std::uint32_t node);
  void grant(std::uint32_t node, std::uint32_t output_index);
  [[nodiscard]] std::uint32_t take_head(std::uint32_t output_index, std::uint32_t vc);
  void show_front(std::uint32_t node, std::uint32_t input_vc);
  void arrive(const Arrival& arrival);
  void add_credit(std::uint32_t output_index, std::uint32_t vc);

  const Network& network_;
  std::uint32_t vcs_, n_classes_, lanes_, slots_;
  std::vector<std::uint8_t> class_of_vc_;
  std::vector<std::uint32_t> first_input_;   ///< by node: its first input VC
  std::vector<std::uint32_t> first_output_;  ///< by node: its first output
  std::vector<std::uint32_t>
      sender_of_;  ///< by link: index of the output that sends; kNone: port A
  /// [input VC][destination]: output << 8 | class
  std::vector<std::uint16_t> table_;
  std::vector<InputVc> inputs_;
  std::vector<Flit> fifo_;  ///< [input VC][slot]
  std::vector<Output> outputs_;
  std::vector<OutputVc> output_vcs_;
  std::vector<Class> classes_;
  std::vector<Mask> active_outputs_;  ///< by node: outputs with something to grant
  std::vector<std::uint64_t> active_nodes_;

  std::vector<Slot> wheel_;  ///< as many as a power of 2
  std::vector<LinkFlit> flits_;
  std::vector<Grant> grants_;
  std::vector<CreditArrival> taken_;
  std::vector<std::uint32_t> new_fronts_;  ///< input VCs of a node whose next head shows
  std::size_t now_ = 0;                    ///< index in wheel_
  std::uint64_t inside_ = 0;
};

}  // namespace kernbench::noc
