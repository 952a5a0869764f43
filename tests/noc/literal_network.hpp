// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "noc/network_model.hpp"

namespace kernbench::noc {

/// The rules of the routers, word by word and without regard for time: every rule looks at every
/// input and output of every node in every cycle. Has the calls of NetworkModel that matter.
class LiteralNetwork {
 public:
  explicit LiteralNetwork(const Network& network);

  /// Return the outputs of all nodes in this cycle.
  [[nodiscard]] std::vector<LinkFlit> flits() const;
  [[nodiscard]] std::vector<LinkCredit> credits() const;
  void send(std::uint32_t node, std::uint32_t vc, Flit flit);
  void take(std::uint32_t node, std::uint32_t vc);
  void clock();

 private:
  struct Front {
    std::uint32_t input = 0, vc = 0;
  };
  struct InputVc {
    std::deque<Flit> fifo;
    std::optional<std::uint32_t> output,
        output_vc;  ///< place of the packet in front, once it is granted
  };
  struct OutputVc {
    std::optional<Front> holder;
    std::uint32_t credits = 0;
  };
  struct Output {
    std::vector<OutputVc> vcs;
    std::vector<std::uint32_t> class_pointer;  ///< one behind the last head granted
    std::uint32_t vc_pointer = 0;              ///< one behind the VC granted last
    std::optional<LinkFlit> flop;
  };
  struct Node {
    std::vector<std::vector<InputVc>> inputs;
    std::vector<Output> outputs;
    std::vector<std::vector<bool>> credit_flop;  ///< [input][vc]
    /// Registers of the link in front of an input; the first is the oldest.
    std::vector<std::deque<std::optional<LinkFlit>>> flit_stages;
    std::vector<std::deque<std::vector<bool>>> credit_stages;
  };
  struct Grant {
    std::uint32_t output = 0, vc = 0;
    Front from;
  };

  [[nodiscard]] Link link_in(std::uint32_t node, std::uint32_t input) const;
  [[nodiscard]] std::optional<Front> candidate(std::uint32_t node, std::uint32_t output,
                                               std::uint32_t vc) const;
  [[nodiscard]] std::optional<Front> offered(std::uint32_t node, std::uint32_t output,
                                             std::uint32_t vc_class) const;
  [[nodiscard]] std::vector<Grant> grants(std::uint32_t node) const;

  const Network& network_;
  std::uint32_t vcs_;
  std::vector<Node> nodes_;
  std::vector<std::optional<LinkFlit>> sent_;  ///< at port A, by node
  std::vector<std::vector<bool>> taken_;       ///< at port B, by node
};

}  // namespace kernbench::noc
