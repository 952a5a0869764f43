// SPDX-License-Identifier: Apache-2.0
// The contract of the IRS stages, cycle by cycle and without a model. All instances run the same
// script at once; cycle 0 is the first after reset.

#include <gtest/gtest.h>

#include <functional>
#include <tuple>

#include "common/random.hpp"
#include "tests/rtl/irs_bench.hpp"

namespace kernbench::tests {
namespace {

class IrsTiming : public ::testing::Test {
 protected:
  using Script = std::function<IrsInputs(unsigned cycle, std::size_t instance)>;
  using Check =
      std::function<void(unsigned cycle, std::size_t instance, const IrsOutputs& observed)>;

  /// Executes cycles first .. last-1.
  void run(unsigned first, unsigned last, const Script& script, const Check& check) {
    for (unsigned t = first; t < last; ++t) {
      for (std::size_t i = 0; i < bench_.size(); ++i) bench_.drive(i, script(t, i));
      bench_.settle();
      for (std::size_t i = 0; i < bench_.size(); ++i) {
        SCOPED_TRACE(bench_.instances()[i].name + ", cycle " + std::to_string(t));
        check(t, i, bench_.observe(i));
        if (HasFailure()) return;
      }
      bench_.edge();
    }
  }

  /// Returns packet `index` of a sender. Consecutive packets differ even in one bit.
  [[nodiscard]] Payload packet(std::size_t instance, unsigned index) const {
    return (index % 2 == 0 ? 0x5a5a'5a5a'5a5a'5a00U + index : ~std::uint64_t{index} << 8 | 0x01U) &
           at(instance).mask();
  }

  [[nodiscard]] const IrsInstance& at(std::size_t i) const { return bench_.instances()[i]; }
  [[nodiscard]] IrsKind kind(std::size_t i) const { return at(i).kind(); }
  [[nodiscard]] unsigned depth(std::size_t i) const { return at(i).params.depth; }

  IrsBench bench_;
  std::vector<unsigned> sent_ = std::vector<unsigned>(bench_.size());  ///< packets accepted

  /// Offers the next packet as soon as the last one was accepted.
  [[nodiscard]] IrsInputs back_to_back(std::size_t i, bool ready) const {
    return {.valid_i = true, .payload_i = packet(i, sent_[i]), .ready_i = ready};
  }
};

TEST_F(IrsTiming, BenchHoldsEveryDepthAndCombinationOfParameters) {
  unsigned combinations = 0;
  for (unsigned d = 0; d <= 16; ++d) {
    for (unsigned flags = 0; flags < 8; ++flags) {
      for (const IrsInstance& instance : bench_.instances()) {
        const IrsParams& p = instance.params;
        if (instance.width == 23 && instance.name.starts_with("IRS_N") && p.depth == d &&
            p.no_ready == ((flags & 4U) != 0) && p.half == ((flags & 2U) != 0) &&
            p.ro_en == ((flags & 1U) != 0)) {
          ++combinations;
        }
      }
    }
  }
  EXPECT_EQ(combinations, 136U);
}

TEST_F(IrsTiming, PacketAppearsAfterExactlyDepthCyclesAndNotOneEarlier) {
  run(
      0, 24,
      [&](unsigned t, std::size_t i) {
        return IrsInputs{.valid_i = t == 0, .payload_i = packet(i, t), .ready_i = true};
      },
      [&](unsigned t, std::size_t i, const IrsOutputs& observed) {
        EXPECT_EQ(observed.valid_o, t == depth(i));
        if (t == depth(i)) {
          EXPECT_EQ(observed.payload_o, packet(i, 0));
        }
      });
}

TEST_F(IrsTiming, WiresSkidStagesAndStagesWithoutReadyPassOnePacketEveryCycle) {
  run(
      0, 1000, [&](unsigned, std::size_t i) { return back_to_back(i, true); },
      [&](unsigned t, std::size_t i, const IrsOutputs& observed) {
        if (kind(i) == IrsKind::kHalf) return;
        EXPECT_TRUE(observed.ready_o);
        EXPECT_EQ(observed.valid_o, t >= depth(i));
        if (t >= depth(i)) {
          EXPECT_EQ(observed.payload_o, packet(i, t - depth(i)));
        }
        ++sent_[i];
      });
}

TEST_F(IrsTiming, HalfTakesAPacketEverySecondCycleAndNotMore) {
  run(
      0, 1000, [&](unsigned, std::size_t i) { return back_to_back(i, true); },
      [&](unsigned t, std::size_t i, const IrsOutputs& observed) {
        if (kind(i) != IrsKind::kHalf) return;
        EXPECT_EQ(observed.ready_o, t % 2 == 0);
        EXPECT_EQ(observed.valid_o, t >= depth(i) && (t - depth(i)) % 2 == 0);
        if (observed.valid_o) {
          EXPECT_EQ(observed.payload_o, packet(i, (t - depth(i)) / 2));
        }
        if (observed.ready_o) ++sent_[i];
      });
}

TEST_F(IrsTiming, StalledSkidChainTakesExactlyTwicePerStageWithoutABubble) {
  run(
      0, 60, [&](unsigned, std::size_t i) { return back_to_back(i, false); },
      [&](unsigned t, std::size_t i, const IrsOutputs& observed) {
        if (kind(i) != IrsKind::kSkid) return;
        EXPECT_EQ(observed.ready_o, t < 2 * depth(i));
        if (observed.ready_o) ++sent_[i];
      });
  for (std::size_t i = 0; i < bench_.size(); ++i) {
    if (kind(i) == IrsKind::kSkid) {
      EXPECT_EQ(sent_[i], 2 * depth(i)) << at(i).name;
    }
  }
}

TEST_F(IrsTiming, StalledHalfChainTakesExactlyOnePerStage) {
  run(
      0, 60, [&](unsigned, std::size_t i) { return back_to_back(i, false); },
      [&](unsigned t, std::size_t i, const IrsOutputs& observed) {
        if (kind(i) != IrsKind::kHalf) return;
        EXPECT_EQ(observed.ready_o, t % 2 == 0 && t < 2 * depth(i));
        if (observed.ready_o) ++sent_[i];
      });
  for (std::size_t i = 0; i < bench_.size(); ++i) {
    if (kind(i) == IrsKind::kHalf) {
      EXPECT_EQ(sent_[i], depth(i)) << at(i).name;
    }
  }
}

TEST_F(IrsTiming, PacketAndValidStayWhileStalledWhateverTheSenderDoes) {
  run(
      0, 60,
      [&](unsigned t, std::size_t i) {
        return IrsInputs{.valid_i = t % 3 == 0, .payload_i = packet(i, t), .ready_i = false};
      },
      [&](unsigned t, std::size_t i, const IrsOutputs& observed) {
        if (kind(i) != IrsKind::kSkid && kind(i) != IrsKind::kHalf) return;
        EXPECT_EQ(observed.valid_o, t >= depth(i));
        if (t >= depth(i)) {
          EXPECT_EQ(observed.payload_o, packet(i, 0));
        }
      });
}

TEST_F(IrsTiming, SkidChainResumesWithoutABubbleAndIsReadyDepthCyclesAfterTheRelease) {
  constexpr unsigned kRelease = 40;
  run(
      0, 160, [&](unsigned t, std::size_t i) { return back_to_back(i, t >= kRelease); },
      [&](unsigned t, std::size_t i, const IrsOutputs& observed) {
        if (kind(i) != IrsKind::kSkid) return;
        EXPECT_EQ(observed.ready_o, t < 2 * depth(i) || t >= kRelease + depth(i));
        if (observed.ready_o) ++sent_[i];
        if (t < kRelease) return;
        EXPECT_TRUE(observed.valid_o);
        EXPECT_EQ(observed.payload_o, packet(i, t - kRelease));
      });
}

TEST_F(IrsTiming, HalfChainDeliversEverySecondCycleAfterTheRelease) {
  constexpr unsigned kRelease = 40;
  run(
      0, 160, [&](unsigned t, std::size_t i) { return back_to_back(i, t >= kRelease); },
      [&](unsigned t, std::size_t i, const IrsOutputs& observed) {
        if (kind(i) != IrsKind::kHalf) return;
        if (t >= kRelease) {
          const unsigned since = t - kRelease;
          EXPECT_EQ(observed.ready_o, since >= depth(i) && (since - depth(i)) % 2 == 0);
          EXPECT_EQ(observed.valid_o, since % 2 == 0);
          if (observed.valid_o) {
            EXPECT_EQ(observed.payload_o, packet(i, since / 2));
          }
        }
        if (observed.ready_o) ++sent_[i];
      });
}

TEST_F(IrsTiming, WithoutReadyAnUntakenPacketGivesWayToTheNextOne) {
  // Packet 0, then packet 1, then no packet. The receiver accepts neither.
  run(
      0, 24,
      [&](unsigned t, std::size_t i) {
        return IrsInputs{.valid_i = t < 2, .payload_i = packet(i, t), .ready_i = false};
      },
      [&](unsigned t, std::size_t i, const IrsOutputs& observed) {
        if (kind(i) != IrsKind::kHalfNoReady) return;
        EXPECT_TRUE(observed.ready_o);
        if (t == depth(i)) {
          EXPECT_EQ(observed.payload_o, packet(i, 0));
        }
        if (t == depth(i) + 1) {
          EXPECT_EQ(observed.payload_o, packet(i, 1));
        }
        EXPECT_EQ(observed.valid_o, t == depth(i) || t == depth(i) + 1);
      });
}

TEST_F(IrsTiming, WithoutReadyValidFollowsTheInputDepthCyclesLater) {
  common::Rng random = common::Rng::stream(1, "valid");
  std::vector<bool> valid(2000);
  for (std::size_t t = 0; t < valid.size(); ++t) valid[t] = random.below(2) == 1;
  run(
      0, 2000,
      [&](unsigned t, std::size_t i) {
        return IrsInputs{.valid_i = valid[t], .payload_i = packet(i, t), .ready_i = t % 5 == 0};
      },
      [&](unsigned t, std::size_t i, const IrsOutputs& observed) {
        if (kind(i) != IrsKind::kHalfNoReady) return;
        EXPECT_TRUE(observed.ready_o);
        EXPECT_EQ(observed.valid_o, t >= depth(i) && valid[t - depth(i)]);
        if (observed.valid_o) {
          EXPECT_EQ(observed.payload_o, packet(i, t - depth(i)));
        }
      });
}

TEST_F(IrsTiming, NoReadyWinsOverHalf) {
  // Two consecutive valid cycles: IRS_HALF with ready would not accept the second packet.
  unsigned checked = 0;
  run(
      0, 2, [&](unsigned, std::size_t i) { return back_to_back(i, false); },
      [&](unsigned, std::size_t i, const IrsOutputs& observed) {
        const IrsParams& p = at(i).params;
        if (p.depth == 0 || !p.no_ready || !p.half) return;
        EXPECT_TRUE(observed.ready_o);
        ++checked;
      });
  EXPECT_GE(checked, 2U * 12U);
}

TEST_F(IrsTiming, RoEnDoesNotShowAtThePorts) {
  common::Rng random = common::Rng::stream(1, "both");
  std::vector<IrsInputs> script(5000);
  for (IrsInputs& in : script) {
    in = {.valid_i = random.below(4) != 0,
          .payload_i = random.bits64(),
          .ready_i = random.below(2) != 0};
  }
  std::vector<IrsOutputs> even(bench_.size());
  std::uint64_t delivered = 0;
  run(
      0, 5000,
      [&](unsigned t, std::size_t i) {
        IrsInputs in = script[t];
        in.payload_i &= at(i).mask();
        return in;
      },
      [&](unsigned t, std::size_t i, const IrsOutputs& observed) {
        even[i] = observed;
        if (!at(i).params.ro_en || i % 2 == 0) return;
        // RO_EN is the last flag, so the previous instance differs in RO_EN only.
        const IrsParams& a = at(i - 1).params;
        const IrsParams& b = at(i).params;
        ASSERT_EQ(std::tie(a.depth, a.no_ready, a.half), std::tie(b.depth, b.no_ready, b.half));
        ASSERT_FALSE(a.ro_en);
        EXPECT_EQ(observed.ready_o, even[i - 1].ready_o);
        EXPECT_EQ(observed.valid_o, even[i - 1].valid_o);
        if (!observed.valid_o) return;
        EXPECT_EQ(observed.payload_o, even[i - 1].payload_o);
        if (script[t].ready_i) ++delivered;
      });
  EXPECT_GT(delivered, 52U * 500U);
}

TEST_F(IrsTiming, IsReadyAndEmptyAfterReset) {
  run(
      0, 3, [](unsigned, std::size_t) { return IrsInputs{}; },
      [&](unsigned, std::size_t i, const IrsOutputs& observed) {
        EXPECT_EQ(observed.ready_o, kind(i) != IrsKind::kWires);
        EXPECT_FALSE(observed.valid_o);
      });
}

TEST_F(IrsTiming, DepthZeroIsWiresBothWaysWithoutAClockAndInResetToo) {
  unsigned wires = 0;
  for (const bool reset : {false, true}) {
    bench_.set_reset(reset);
    for (std::size_t i = 0; i < bench_.size(); ++i) {
      if (kind(i) != IrsKind::kWires) continue;
      ++wires;
      SCOPED_TRACE(at(i).name);
      for (const bool valid : {true, false}) {
        for (const bool ready : {true, false}) {
          for (unsigned index = 0; index < 4; ++index) {
            bench_.drive(i, {.valid_i = valid, .payload_i = packet(i, index), .ready_i = ready});
            bench_.settle();
            EXPECT_EQ(bench_.observe(i).valid_o, valid);
            EXPECT_EQ(bench_.observe(i).ready_o, ready);
            EXPECT_EQ(bench_.observe(i).payload_o, packet(i, index));
          }
        }
      }
    }
  }
  EXPECT_EQ(wires, 2U * 3U * 8U);
}

TEST_F(IrsTiming, ResetEmptiesAFullChainAtOnceAndBetweenEdges) {
  run(
      0, 60, [&](unsigned, std::size_t i) { return back_to_back(i, false); },
      [&](unsigned, std::size_t, const IrsOutputs&) {});
  const auto expect_empty = [&] {
    for (std::size_t i = 0; i < bench_.size(); ++i) {
      if (kind(i) == IrsKind::kWires) continue;
      EXPECT_FALSE(bench_.observe(i).valid_o) << at(i).name;
      EXPECT_TRUE(bench_.observe(i).ready_o) << at(i).name;
    }
  };
  for (std::size_t i = 0; i < bench_.size(); ++i) {
    bench_.drive(i, {});
    if (kind(i) != IrsKind::kWires) {
      EXPECT_TRUE(bench_.observe(i).valid_o) << at(i).name;
    }
  }
  bench_.settle();
  bench_.set_reset(true);
  expect_empty();
  bench_.set_reset(false);
  expect_empty();
  // The packets inside are lost, and the latency is unchanged.
  run(
      0, 24,
      [&](unsigned t, std::size_t i) {
        return IrsInputs{.valid_i = t == 0, .payload_i = packet(i, 7), .ready_i = true};
      },
      [&](unsigned t, std::size_t i, const IrsOutputs& observed) {
        EXPECT_EQ(observed.valid_o, t == depth(i));
        if (t == depth(i)) {
          EXPECT_EQ(observed.payload_o, packet(i, 7));
        }
      });
}

}  // namespace
}  // namespace kernbench::tests
