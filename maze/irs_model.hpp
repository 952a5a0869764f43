// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "maze/link_frame.hpp"
#include "maze/node_state.hpp"

namespace kernbench::maze {

/// Parameters of `IRS_N`, in this order: `IRS_DEEP`, `TYPE_NO_READY`, `TYPE_HALF`,
/// `TYPE_RO_EN`. A single `IRS_LP` or `IRS_HALF` is a chain of depth 1 of that kind.
struct IrsParams {
  unsigned depth = 0;
  bool no_ready = false;  ///< IRS_HALF without ready; overrides `half`
  bool half = false;      ///< IRS_HALF with ready
  bool ro_en = false;     ///< implementation choice of IRS_LP; invisible at its ports
};

struct IrsInputs {
  bool valid_i = false;
  Payload payload_i = 0;
  bool ready_i = false;
};

struct IrsOutputs {
  bool ready_o = false;
  bool valid_o = false;
  Payload payload_o = 0;  ///< meaningful while valid_o is 1
};

/// Cycle-accurate model of one IRS chain, written stage by stage for clarity rather than speed. A
/// cycle is `evaluate(inputs)`, then `clock(inputs)` at the rising edge. While reset is held,
/// `reset()` replaces `clock()`.
class IrsModel {
 public:
  explicit IrsModel(const IrsParams& params);

  void reset();
  /// Returns the outputs of this cycle. They depend on `inputs` only with depth 0 (wires), where
  /// they do so in reset too.
  [[nodiscard]] IrsOutputs evaluate(const IrsInputs& inputs) const;
  void clock(const IrsInputs& inputs);

  /// Returns the packets held by one stage (0 is next to the input): at most 2 in IRS_LP, 1 in
  /// IRS_HALF. Throws std::out_of_range.
  [[nodiscard]] unsigned occupancy(unsigned stage) const { return stages_.at(stage).count; }
  /// Returns those packets in order. Throws std::out_of_range.
  [[nodiscard]] HeldPackets held(unsigned stage) const {
    const Stage& one = stages_.at(stage);
    return {one.count, one.first, one.second};
  }
  [[nodiscard]] unsigned stored() const;

 private:
  enum class Kind { Skid, Half, HalfNoReady };

  struct Stage {
    unsigned count = 0;  ///< packets held
    Payload first = 0;   ///< packet at the output
    Payload second = 0;  ///< skid entry of IRS_LP

    [[nodiscard]] bool ready(Kind kind) const;
    [[nodiscard]] bool valid() const { return count > 0; }
    void clock(Kind kind, const IrsInputs& inputs);
  };

  Kind kind_;
  std::vector<Stage> stages_;
};

}  // namespace kernbench::maze
