// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "common/diagnostics.hpp"
#include "common/random.hpp"
#include "sim/cover/coverage_file.hpp"
#include "sim/cover/coverage_reader.hpp"
#include "tests/sim/cover_bench.hpp"

namespace kernbench::sim {
namespace {

using maze::Shape;
using topology::MazeLink;
using enum ClockMoment;

constexpr Shape kDeep{8, 3, 8};  // X links of depth 0 to 3

const MazeLink& link_of_depth(const CoverBench& bench, unsigned depth) {
  for (const MazeLink& link : bench.links.links()) {
    if (link.depth == depth) return link;
  }
  throw std::logic_error("no such link");
}

/// Returns the lengths of one kind that a link has seen.
std::vector<std::uint64_t> lengths(const CoverBench& bench, LengthKind kind, const MazeLink& link) {
  DeepBins bins = bench.deep.bins();
  const topology::MazePort& end = kind == LengthKind::Stall ? link.to : link.from;
  std::vector<std::uint64_t> seen;
  for (std::size_t bin = 0; bin < kExactLengths; ++bin) {
    if (bins.exact(kind, bin).test(end.port, end.node)) seen.push_back(exact_length(bin));
  }
  return seen;
}

/// Sends one packet that its receiver refuses for `cycles`.
void stall(CoverBench& bench, const MazeLink& link, unsigned cycles) {
  bench.set_ready(link, false);
  bench.offer(link, 1);
  bench.cycle();
  if (link.depth != 0) bench.withdraw(link);
  bench.cycles(link.depth == 0 ? cycles - 1 : link.depth - 1 + cycles);
  bench.set_ready(link, true);
  bench.cycle();
  bench.withdraw(link);
  bench.cycle();
}

TEST(DeepCoverage, AStallHasExactlyItsLength) {
  for (const unsigned depth : {0U, 1U, 3U}) {
    CoverBench bench(kDeep);
    const MazeLink& link = link_of_depth(bench, depth);
    stall(bench, link, 7);
    EXPECT_THAT(lengths(bench, LengthKind::Stall, link), ::testing::ElementsAre(7));
    stall(bench, link, 257);  // only a range
    stall(bench, link, 512);
    EXPECT_THAT(lengths(bench, LengthKind::Stall, link), ::testing::ElementsAre(7, 512));
    DeepBins bins = bench.deep.bins();
    std::vector<std::size_t> ranges;
    for (std::size_t bin = 0; bin < kLengthRanges; ++bin) {
      if (bins.range(LengthKind::Stall, bin).test(link.to.port, link.to.node)) {
        ranges.push_back(bin);
      }
    }
    EXPECT_THAT(ranges, ::testing::ElementsAre(2, 8, 9));  // 4..7, 256..511, 512..1023
  }
}

TEST(DeepCoverage, AnIdleTimeEndsWithTheNextOffer) {
  CoverBench bench(kDeep);
  const MazeLink& link = link_of_depth(bench, 2);
  bench.offer(link, 1);
  bench.cycle();
  bench.withdraw(link);
  bench.cycles(11);
  EXPECT_THAT(lengths(bench, LengthKind::Idle, link), ::testing::IsEmpty());
  bench.offer(link, 2);
  bench.cycle();
  EXPECT_THAT(lengths(bench, LengthKind::Idle, link), ::testing::ElementsAre(11));
}

TEST(DeepCoverage, ARunThatAResetCutsOffDoesNotCount) {
  CoverBench bench(kDeep);
  const MazeLink& link = link_of_depth(bench, 1);
  bench.set_ready(link, false);
  bench.offer(link, 1);
  bench.cycles(5);
  bench.reset();
  bench.cycle();
  bench.offer(link, 1);
  bench.cycles(3);
  EXPECT_THAT(lengths(bench, LengthKind::Stall, link), ::testing::IsEmpty());
  EXPECT_THAT(lengths(bench, LengthKind::Idle, link), ::testing::ElementsAre(1));
}

TEST(DeepCoverage, ManyPacketsCountSinceTheLastReset) {
  CoverBench bench({2, 2, 8});
  const MazeLink& link = bench.links.links().front();
  const auto many = [&] {
    bench.deep.after({StopReason::Drained, bench.now});
    DeepBins bins = bench.deep.bins();
    return bins.link(DeepLinkBin::ManyPackets).test(link.to.port, link.to.node);
  };
  bench.offer(link, 1);
  bench.cycles(5);
  bench.reset();
  bench.offer(link, 1);
  bench.cycles(kManyPackets - 1);
  bench.reset();
  EXPECT_FALSE(many());
  bench.offer(link, 1);
  bench.cycles(kManyPackets);
  EXPECT_TRUE(many());
}

/// Returns the missed bins of one group.
std::set<std::string> missed(const CoverBench& bench, const std::string& name) {
  for (const CoverageGroup& group : bench.deep.bins().groups()) {
    if (group.name == name) return {group.missed.begin(), group.missed.end()};
  }
  throw std::logic_error("no group " + name);
}

TEST(DeepCoverage, AResetHasItsWidthItsMomentsAndItsReceivers) {
  const std::vector<std::pair<ResetEvent, std::vector<std::string>>> expected = {
      {{0, 0, Rise, High},
       {"never: reset of less than a clock before the falling edge",
        "never: reset asserted just after the rising edge",
        "never: reset released before the falling edge"}},
      {{0, 0, High, Low},
       {"never: reset of less than a clock across the falling edge",
        "never: reset asserted before the falling edge",
        "never: reset released after the falling edge"}},
      {{0, 0, Low, Low},
       {"never: reset of less than a clock after the falling edge",
        "never: reset asserted after the falling edge",
        "never: reset released after the falling edge"}},
      {{0, 2, Low, End},
       {"never: reset asserted after the falling edge",
        "never: reset released just after the rising edge"}},
      {{0, 2, Rise, High},
       {"never: reset asserted just after the rising edge",
        "never: reset released before the falling edge"}},
  };
  for (const auto& [reset, hit] : expected) {
    CoverBench bench(kDeep);
    std::set<std::string> wanted = missed(bench, "resets and length of cases");
    for (const std::string& name : hit) EXPECT_EQ(wanted.erase(name), 1U) << name;
    std::set<std::string> widths = missed(bench, "widths of resets");
    EXPECT_EQ(widths.erase(fmt::format("no reset of {} clocks", reset.clocks)),
              reset.clocks == 0 ? 0U : 1U);
    bench.cycle();
    for (std::uint64_t i = 0; i < reset.cycles(); ++i) bench.cycle(true, reset.cycle(i));
    bench.cycle();
    EXPECT_EQ(missed(bench, "resets and length of cases"), wanted);
    EXPECT_EQ(missed(bench, "widths of resets"), widths);
    EXPECT_THAT(missed(bench, "ready in a reset"), ::testing::IsEmpty());
    EXPECT_EQ(missed(bench, "not ready in a reset").size(), kDeep.links());
    bench.inputs.in_ready.clear();
    bench.cycle(true);
    EXPECT_THAT(missed(bench, "not ready in a reset"), ::testing::IsEmpty());
  }
}

TEST(DeepCoverage, CountsTheResetsOfACaseAndItsCycles) {
  const auto has = [](CoverBench& bench, const char* name) {
    return missed(bench, "resets and length of cases").count(name) == 0;
  };
  CoverBench bench({2, 2, 8});
  for (unsigned i = 0; i < 29; ++i) {
    bench.reset();
    bench.cycle();
  }
  EXPECT_FALSE(has(bench, "never: 30 resets in a case"));
  bench.reset();
  EXPECT_TRUE(has(bench, "never: 30 resets in a case"));
  bench.deep.after({StopReason::Drained, kLongCase - 1});
  EXPECT_FALSE(has(bench, "never: a case of 300000 cycles"));
  bench.deep.after({StopReason::Drained, kLongCase});
  EXPECT_TRUE(has(bench, "never: a case of 300000 cycles"));
}

TEST(ReachablePairs, OfOneStageAreThoseOfATwoEntryStage) {
  std::vector<std::string> names;
  for (const StatePair& pair : reachable_pairs(1)) names.push_back(pair_name(pair, 1));
  EXPECT_THAT(names, ::testing::ElementsAre("0, nothing", "0, accept", "0, reset", "1, accept",
                                            "1, deliver", "1, both", "1, stall", "1, reset",
                                            "2, deliver", "2, stall", "2, reset"));
  EXPECT_EQ(reachable_pairs(2).size(), 32U);
  EXPECT_EQ(reachable_pairs(3).size(), 84U);
}

/// The pairs of all links, computed link by link from the ports and the states before each cycle.
TEST(DeepCoverage, PairsAreThoseOfTheLinksOneByOne) {
  CoverBench bench(kDeep);
  common::Rng rng(1);
  std::array<std::set<std::string>, 4> seen;
  bench.reset();
  for (unsigned cycle = 0; cycle < 400; ++cycle) {
    const bool in_reset = cycle % 50 == 49;
    for (const MazeLink& link : bench.links.links()) {
      const bool waits = bench.inputs.out_valid.test(link.from.port, link.from.node) &&
                         !bench.source_fired.test(link.from.port, link.from.node);
      if (in_reset) {
        bench.withdraw(link);
      } else if (!waits) {
        bench.withdraw(link);
        if (rng.below(3) == 0) bench.offer(link, 1);
      }
      bench.set_ready(link, rng.below(3) == 0);
    }
    std::vector<std::array<std::uint8_t, kPairDepth>> before;
    for (const MazeLink& link : bench.links.links()) {
      auto& held = before.emplace_back();
      for (unsigned s = 0; s < link.depth; ++s) {
        const auto bit = [&](const std::uint64_t* plane) {
          return static_cast<unsigned>(plane[0] >> link.to.node & 1U);
        };
        held[s] = static_cast<std::uint8_t>(bit(bench.model.one_or_more(link.to.port, s)) +
                                            bit(bench.model.two(link.to.port, s)));
      }
    }
    bench.cycle(in_reset);
    auto held = before.begin();
    for (const MazeLink& link : bench.links.links()) {
      const bool in = bench.source_fired.test(link.from.port, link.from.node);
      const bool out = bench.sink_fired.test(link.to.port, link.to.node);
      const bool waits = bench.outputs.in_valid.test(link.to.port, link.to.node) && !out;
      const LinkEvent event = in_reset    ? LinkEvent::Reset
                              : in && out ? LinkEvent::Both
                              : in        ? LinkEvent::Accept
                              : out       ? LinkEvent::Deliver
                              : waits     ? LinkEvent::Stall
                                          : LinkEvent::Nothing;
      if (link.depth != 0) {
        seen[link.depth].insert(pair_name({*held, event}, link.depth));
      }
      ++held;
    }
  }
  DeepBins bins = bench.deep.bins();
  for (unsigned depth = 1; depth <= kPairDepth; ++depth) {
    std::set<std::string> covered;
    const std::vector<StatePair> pairs = reachable_pairs(depth);
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      if (bins.pairs(depth)[i] != 0) covered.insert(pair_name(pairs[i], depth));
    }
    EXPECT_EQ(covered, seen[depth]) << "depth " << depth;
    EXPECT_GT(covered.size(), 8U);
  }
}

TEST(DeepCoverage, HasABinForEachWidthOfAResetUpToAHundredClocks) {
  const topology::MazeLinks links(4, 3);
  for (const CoverageGroup& group : DeepBins({4, 3, 8}, links).groups()) {
    if (group.name != "widths of resets") continue;
    EXPECT_EQ(group.total, 100U);
    return;
  }
  FAIL() << "no such group";
}

TEST(DeepCoverage, NamesWhatIsMissing) {
  CoverBench bench(kDeep);
  EXPECT_EQ(missed(bench, "stall lengths on every link")
                .count("stall of 17 cycles: 216 links without it, the first is "
                       "[0,0].x[0] -> [0,1].x[0]"),
            1U);
  EXPECT_EQ(missed(bench, "idle lengths by depth and direction")
                .count("no idle of 8192 to 16383 cycles on X links of depth 3"),
            1U);
  EXPECT_EQ(
      missed(bench, "state and event, depth 2").count("no link of depth 2 with packets 2-2, reset"),
      1U);
}

CoverageData with_deep(CoverBench& bench) {
  CoverageData data = bench.coverage.data();
  data.deep() = bench.deep.bins();
  return data;
}

TEST(DeepCoverage, SurvivesItsFileAndMerges) {
  CoverBench bench(kDeep);
  const MazeLink& link = link_of_depth(bench, 1);
  stall(bench, link, 7);
  bench.reset();
  const nlohmann::json json = coverage_json(with_deep(bench));
  nlohmann::json file = json;
  file["runs"] = {{{"model", "0a"}, {"outcome", "pass"}}};
  CoverageData read = coverage_of_json(file, "f").coverage;
  EXPECT_EQ(coverage_json(read), json);

  CoverBench other(kDeep);
  stall(other, link, 9);
  read.merge(with_deep(other));
  EXPECT_TRUE(read.deep()->exact(LengthKind::Stall, 6).test(link.to.port, link.to.node));
  EXPECT_TRUE(read.deep()->exact(LengthKind::Stall, 8).test(link.to.port, link.to.node));
  EXPECT_THROW(read.merge(other.coverage.data()), std::invalid_argument);
}

TEST(DeepCoverage, ADamagedFileIsRefused) {
  CoverBench bench(kDeep);
  const nlohmann::json json = coverage_json(with_deep(bench), {{"0a", common::Outcome::Pass}});
  const auto message = [](const nlohmann::json& data) {
    try {
      (void)coverage_of_json(data, "f");
    } catch (const common::BadInput& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  nlohmann::json damaged = json;
  damaged["deep"]["fabric"] = "0102";
  damaged["deep"]["links"][1] = "?";
  EXPECT_EQ(message(damaged),
            "f: error: 'data.deep.fabric' must be digits 0 and 1, not '0102'\n"
            "f: error: 'data.deep.links[1]' must be words of 16 hexadecimal digits, not '?'");
  damaged = json;
  damaged["deep"]["fabric"] = "01";
  damaged["deep"]["stall lengths"].erase(0);
  damaged["deep"]["extra"] = "1";
  EXPECT_EQ(message(damaged),
            "f: error: 'data.deep.stall lengths' must be a list of 262 planes\n"
            "f: error: 'data.deep.fabric' must be 11 digits 0 or 1\n"
            "f: error: 'data.deep' has bins that this program does not know");
}

}  // namespace
}  // namespace kernbench::sim
