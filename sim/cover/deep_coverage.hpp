// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "maze/topo_model.hpp"
#include "sim/cover/deep_bins.hpp"
#include "sim/harness/extension.hpp"
#include "sim/harness/plane_counter.hpp"

namespace kernbench::sim {

/// Collects DeepBins. Work is done where a link starts or stops to wait or to idle, and for pairs
/// of state and event that are still missing.
class DeepCoverage : public Extension {
 public:
  /// `reference` as in FunctionalCoverage. With a null reference, pairs are not collected.
  DeepCoverage(const maze::Shape& shape, const topology::MazeLinks& links,
               const maze::TopoModel* reference);

  /// Collects the bins of the users of a network.
  static std::unique_ptr<DeepCoverage> of_users(const maze::Shape& shape);

  void on_cycle(const CycleView& view) override;
  void after(const RunEnd& end) override;
  [[nodiscard]] const DeepBins& bins() const { return bins_; }

 private:
  DeepCoverage(const maze::Shape& shape, unsigned ports, DeepBins bins);

  /// The runs of one kind. A run counts when it ends with a packet that moves or is offered.
  struct Runs {
    LengthKind kind;
    maze::BitPlane running;
    std::vector<std::uint64_t> since;  ///< [word*64 + bit], cycle in which the run began
  };
  struct Stage {
    const std::uint64_t* one_or_more;
    const std::uint64_t* two;
    std::uint64_t before_one_or_more[4];
    std::uint64_t before_two[4];
  };
  struct Port {
    std::vector<Stage> stages;  ///< the sender's first; empty for wires and beyond kPairDepth
    const std::uint64_t* accepted;
    const std::uint64_t* delivered;
  };
  struct Missing {
    StatePair pair;
    std::size_t bin;
  };

  void reset_cycle(const CycleView& view);
  void count_packets();
  void end_reset(ClockMoment released);
  void follow(Runs& runs, std::size_t word, std::uint64_t now, std::uint64_t cycle);
  void observe_pairs(bool in_reset);
  void look_for_pairs(const Port& port, unsigned depth, bool in_reset);

  maze::Shape shape_;
  DeepBins bins_;
  Runs stalls_;
  Runs idles_;
  std::vector<Port> ports_;
  std::array<std::vector<Missing>, kPairDepth> missing_;
  PlaneCounter delivered_;
  std::vector<std::uint64_t> before_reset_;  ///< delivered up to the last reset
  bool in_reset_ = false;
  std::uint64_t reset_clocks_ = 0;
  std::uint64_t resets_ = 0;
};

}  // namespace kernbench::sim
