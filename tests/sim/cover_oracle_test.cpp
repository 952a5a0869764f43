// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "common/random.hpp"
#include "sim/cover/coverage_file.hpp"
#include "tests/sim/cover_bench.hpp"

namespace kernbench::sim {
namespace {

using maze::Payload;
using maze::Shape;
using topology::MazeLink;

/// The same coverage, computed link by link from its definition, without optimisations.
class PlainCoverage {
 public:
  PlainCoverage(const CoverBench& bench, BackPressure kind)
      : bench_(bench),
        kind_(kind),
        data_(bench.shape, bench.links, 0),
        links_(bench.shape.links()) {}

  /// Records the packets in the stages before the cycle.
  void before_cycle() {
    for (LinkState& state : links_) state.held.clear();
    for (const MazeLink& link : bench_.links.links()) {
      for (unsigned s = 0; s < link.depth; ++s) {
        const auto bit = [&](const std::uint64_t* plane) {
          return static_cast<unsigned>(plane[link.to.node / 64] >> (link.to.node % 64) & 1U);
        };
        state(link).held.push_back(bit(bench_.model.one_or_more(link.to.port, s)) +
                                   bit(bench_.model.two(link.to.port, s)));
      }
    }
  }

  void after_cycle(bool in_reset) {
    bool all = !in_reset;
    bool moved = false;
    for (const MazeLink& link : bench_.links.links()) {
      const bool fired = bench_.sink_fired.test(link.to.port, link.to.node);
      all = all && fired;
      moved = moved || fired || bench_.source_fired.test(link.from.port, link.from.node);
      if (in_reset) {
        reset(link);
      } else {
        look_at(link, fired);
      }
    }
    if (all) data_.fabric(FabricBin::AllLinksActive) = true;
    if (in_reset && moved_) data_.fabric(FabricBin::ResetUnderTraffic) = true;
    moved_ = moved;
  }

  [[nodiscard]] const CoverageData& data() const { return data_; }

 private:
  struct LinkState {
    std::vector<unsigned> held;
    bool fired = false;
    bool filled = false;
    bool started = false;
    Payload last = 0;
  };
  LinkState& state(const MazeLink& link) {
    return links_[std::size_t{link.to.port} * bench_.shape.nodes() + link.to.node];
  }
  void hit(LinkBin bin, const MazeLink& link) { data_.link(bin).set(link.to.port, link.to.node); }

  void reset(const MazeLink& link) {
    LinkState& s = state(link);
    for (const unsigned packets : s.held) {
      if (packets != 0) hit(LinkBin::ResetWhileHolding, link);
    }
    s.fired = false;
    s.filled = false;
  }

  void look_at(const MazeLink& link, bool fired) {
    LinkState& s = state(link);
    if (fired) deliver(link, s);
    if (fired && s.fired) hit(LinkBin::BackToBack, link);
    if (!fired && bench_.outputs.in_valid.test(link.to.port, link.to.node)) {
      hit(LinkBin::Stalled, link);
    }
    s.fired = fired;
    if (link.depth == 0) return;
    if (std::all_of(s.held.begin(), s.held.end(), [](unsigned n) { return n == 2; })) {
      hit(LinkBin::Filled, link);
      s.filled = true;
    }
    if (s.filled && std::all_of(s.held.begin(), s.held.end(), [](unsigned n) { return n == 0; })) {
      hit(LinkBin::Drained, link);
    }
    for (unsigned stage = 0; stage < link.depth; ++stage) transition(link, stage, s.held[stage]);
  }

  void transition(const MazeLink& link, unsigned stage, unsigned held) {
    const auto bit = [&](const std::uint64_t* plane) {
      return (plane[link.to.node / 64] >> (link.to.node % 64) & 1U) != 0;
    };
    const bool push = bit(bench_.model.pushed(link.to.port, stage));
    const bool pop = bit(bench_.model.popped(link.to.port, stage));
    constexpr StageBin kEmpty[] = {StageBin::EmptyNeither, StageBin::EmptyPush};
    constexpr StageBin kOne[] = {StageBin::OneNeither, StageBin::OnePush, StageBin::OnePop,
                                 StageBin::OneBoth};
    const StageBin bin = held == 0   ? kEmpty[push]
                         : held == 1 ? kOne[(pop ? 2 : 0) + (push ? 1 : 0)]
                         : pop       ? StageBin::TwoPop
                                     : StageBin::TwoNeither;
    data_.stages(bin, link.to.port)[stage * bench_.shape.words() + link.to.node / 64] |=
        std::uint64_t{1} << (link.to.node % 64);
  }

  void deliver(const MazeLink& link, LinkState& s) {
    const Payload packet = bench_.outputs.in_payload.at(link.to.port, link.to.node);
    const std::size_t slot = std::size_t{link.to.port} * bench_.shape.nodes() + link.to.node;
    const maze::PacketFields fields = bench_.layout.decode(packet);
    hit(LinkBin::Delivered, link);
    hit(fields.qos == 1 ? LinkBin::QosHigh : LinkBin::QosLow, link);
    hit(static_cast<LinkBin>(index(LinkBin::TypeUnicast) + fields.type), link);
    if (s.started) {
      data_.rises()[slot] |= packet & ~s.last;
      data_.falls()[slot] |= ~packet & s.last;
    }
    s.started = true;
    s.last = packet;
    ++data_.packets(kind_)[slot];
  }

  const CoverBench& bench_;
  BackPressure kind_;
  CoverageData data_;
  std::vector<LinkState> links_;
  bool moved_ = false;
};

struct OraclePhase {
  double load;
  double ready;
  Payload payload_mask;  ///< bits that are random; the others are 0
  unsigned cycles;
  bool reset_after;
};

class CoverOracle : public testing::TestWithParam<Shape> {};

TEST_P(CoverOracle, AgreesWithTheDefinitionOnEveryBinThroughLoadsStallsAndResets) {
  constexpr std::uint64_t kFirst = 7;
  CoverBench bench(GetParam(), 0, BackPressure::Random);
  PlainCoverage plain(bench, BackPressure::Random);
  auto rng = common::Rng::stream(kFirst, "cover-oracle");
  const Payload all = bench.layout.packet_mask();
  // The first phases keep type and data bits constant, so that words stay incomplete.
  const OraclePhase phases[] = {
      {0.05, 1.0, 0x3, 40, true}, {1.0, 1.0, all >> 3, 300, true}, {0.7, 0.4, all >> 2, 300, true},
      {1.0, 0.0, all, 40, false}, {0.1, 1.0, all, 60, false},      {1.0, 1.0, all, 600, false},
      {1.0, 0.5, all, 400, true}, {0.1, 0.4, all, 300, false},     {0.3, 0.9, all, 100, true}};
  for (const OraclePhase& phase : phases) {
    const std::uint64_t load = common::probability_threshold(phase.load);
    const std::uint64_t ready = common::probability_threshold(phase.ready);
    for (unsigned i = 0; i < phase.cycles; ++i) {
      for (const MazeLink& link : bench.links.links()) {
        bench.set_ready(link, rng.chance(ready));
        bench.withdraw(link);
        if (rng.chance(load)) bench.offer(link, rng.bits64() & phase.payload_mask);
      }
      plain.before_cycle();
      bench.cycle();
      plain.after_cycle(false);
    }
    if (phase.reset_after) {
      plain.before_cycle();
      bench.reset();
      plain.after_cycle(true);
    }
    ASSERT_EQ(coverage_json(bench.coverage.data()), coverage_json(plain.data()))
        << "after the phase with load " << phase.load << " and ready " << phase.ready;
  }
  EXPECT_EQ(plain.data().hit_bins(), plain.data().total_bins()) << plain.data().missed().front();
}

// A full plane word, a partial one, a full and a partial one, and different dimensions.
INSTANTIATE_TEST_SUITE_P(Shapes, CoverOracle,
                         testing::Values(Shape{8, 8, 8}, Shape{8, 3, 8}, Shape{9, 8, 4},
                                         Shape{3, 2, 32}),
                         [](const testing::TestParamInfo<Shape>& each) {
                           return std::to_string(each.param.nx) + "x" +
                                  std::to_string(each.param.ny);
                         });

}  // namespace
}  // namespace kernbench::sim
