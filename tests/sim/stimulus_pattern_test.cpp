// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "shapes.hpp"
#include "sim/stimulus/traffic_names.hpp"
#include "sim/stimulus/traffic_pattern.hpp"
#include "sim/stimulus/traffic_rules.hpp"

namespace kernbench::sim {
namespace {

using common::Rng;
using maze::BitPlane;
using maze::Shape;
using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Ge;
using ::testing::IsEmpty;
using ::testing::Le;

std::vector<std::string> ports_of(const BitPlane& plane, unsigned node, const Shape& shape) {
  std::vector<std::string> names;
  for (unsigned port = 0; port < shape.ports(); ++port) {
    if (!plane.test(port, node)) continue;
    names.push_back(port < shape.x_ports() ? "x" + std::to_string(port)
                                           : "y" + std::to_string(port - shape.x_ports()));
  }
  return names;
}

unsigned count(const BitPlane& plane) {
  unsigned bits = 0;
  for (std::size_t w = 0; w < plane.size(); ++w) {
    bits += static_cast<unsigned>(std::popcount(plane.data()[w]));
  }
  return bits;
}

BitPlane full(const Shape& shape) {
  BitPlane plane(shape);
  for (unsigned port = 0; port < shape.ports(); ++port) {
    for (unsigned node = 0; node < shape.nodes(); ++node) plane.set(port, node);
  }
  return plane;
}

/// A pattern on a fabric that accepts every packet at once.
struct Open {
  explicit Open(const TrafficSpec& spec, Shape fabric = k8x8, std::uint64_t seed = 1)
      : shape(fabric),
        links(shape.nx, shape.ny),
        pattern(make_traffic_pattern(spec, shape, links, Rng::stream(seed, "traffic"))),
        free(full(shape)),
        started(shape) {}

  void step() { pattern->start(cycle++, {free, free}, started); }
  /// Returns the packets that each link starts in `cycles` cycles, [port][node].
  std::vector<std::vector<unsigned>> count_starts(unsigned cycles) {
    std::vector<std::vector<unsigned>> counts(shape.ports(), std::vector<unsigned>(shape.nodes()));
    for (unsigned i = 0; i < cycles; ++i) {
      step();
      for (unsigned port = 0; port < shape.ports(); ++port) {
        for (unsigned node = 0; node < shape.nodes(); ++node) {
          counts[port][node] += started.test(port, node) ? 1 : 0;
        }
      }
    }
    return counts;
  }

  Shape shape;
  topology::MazeLinks links;
  std::unique_ptr<TrafficPattern> pattern;
  BitPlane free;
  BitPlane started;
  std::uint64_t cycle = 0;
};

TrafficSpec spec_of(std::string_view pattern, double load = 1.0) {
  TrafficSpec spec;
  set_pattern(spec, pattern);
  spec.load = load;
  return spec;
}

struct Expected {
  std::string pattern;
  unsigned links;                 ///< number of links used on 8x8
  std::vector<std::string> at13;  ///< ports used by node 13 = [1,5] = 0b001101
  std::vector<std::string> at32;  ///< ports used by node 32 = [4,0] = 0b100000
  std::vector<std::string> at63;  ///< ports used by node 63 = [7,7]
};

class Permutation : public ::testing::TestWithParam<Expected> {};

TEST_P(Permutation, UsesExactlyTheLinksOfItsMappingAndAllOfThemAtFullLoad) {
  const Expected& expected = GetParam();
  Open run(spec_of(expected.pattern));
  const BitPlane& links = run.pattern->links();
  EXPECT_EQ(count(links), expected.links);
  EXPECT_EQ(ports_of(links, 13, k8x8), expected.at13);
  EXPECT_EQ(ports_of(links, 32, k8x8), expected.at32);
  EXPECT_EQ(ports_of(links, 63, k8x8), expected.at63);
  run.step();
  EXPECT_EQ(run.started, links);
}

INSTANTIATE_TEST_SUITE_P(
    On8x8, Permutation,
    ::testing::Values(
        // [1,5] -> [5,1], [4,0] -> [0,4]
        Expected{"transpose", 112, {"x3", "y3"}, {"x3", "y3"}, {}},
        // [1,5] -> [6,2], [4,0] -> [3,7], [7,7] -> [0,0]
        Expected{"bit_complement", 128, {"x4", "y4"}, {"x6", "y6"}, {"x0", "y0"}},
        // 001101 -> 101100 = [5,4], 100000 -> 000001 = [0,1]
        Expected{"bit_reverse", 112, {"x6", "y3"}, {"x0", "y3"}, {}},
        // 001101 -> 011010 = [3,2], 100000 -> 000001 = [0,1]
        Expected{"shuffle", 112, {"x4", "y1"}, {"x0", "y3"}, {}},
        Expected{"booksim.tornado", 128, {"x2", "y2"}, {"x2", "y2"}, {"x2", "y2"}},
        Expected{"garnet.tornado", 64, {"x2"}, {"x2"}, {"x2"}},
        Expected{"booksim.neighbor", 128, {"x0", "y0"}, {"x0", "y0"}, {"x0", "y0"}},
        // [1,5] -> [5,5], [4,0] -> [0,0], [7,7] -> [3,7]
        Expected{"half_rotation", 64, {"y3"}, {"y3"}, {"y3"}},
        Expected{"garnet.neighbor", 64, {"x0"}, {"x0"}, {"x0"}}),
    [](const auto& tested) {
      std::string name = tested.param.pattern;
      for (char& c : name) c = c == '.' ? '_' : c;
      return name;
    });

TEST(Tornado, GoesHalfWayRoundEachDimensionRoundedUpLessOne) {
  constexpr Shape k8x3{8, 3, 8};
  Open run(spec_of("booksim.tornado"), k8x3);
  EXPECT_THAT(ports_of(run.pattern->links(), 0, k8x3), ElementsAre("x2", "y0"));
}

TEST(AllLinks, StartsOnEveryLinkAtFullLoadAndOnNoneAtLoadZero) {
  Open busy(spec_of("all_links"));
  busy.step();
  EXPECT_EQ(count(busy.started), 896U);
  Open silent(spec_of("all_links", 0.0));
  silent.step();
  EXPECT_EQ(count(silent.started), 0U);
}

TEST(AllLinks, NeverStartsOnABusyLink) {
  const topology::MazeLinks links(8, 8);
  const auto pattern = make_traffic_pattern(spec_of("all_links"), k8x8, links, Rng(1));
  BitPlane free = full(k8x8);
  free.set(3, 17, false);
  BitPlane started(k8x8);
  pattern->start(0, {free, free}, started);
  EXPECT_EQ(started, free);
}

TEST(AllLinks, FirstStartsOfASeedNeverChange) {
  Open run(spec_of("all_links", 0.25), k8x8, 42);
  run.step();
  EXPECT_EQ(run.started.port(0)[0], 0x4529301420098020U);
  EXPECT_EQ(run.started.port(13)[0], 0x9010520981620110U);
}

TEST(AllLinks, StartsWithTheLoadsProbabilityOnEveryLink) {
  Open run(spec_of("all_links", 0.3));
  for (const auto& nodes : run.count_starts(10'000)) {
    EXPECT_THAT(nodes, Each(AllOf(Ge(2800U), Le(3200U))));
  }
}

TEST(Uniform, SpreadsTheLoadOverTheLinksOfEachDimension) {
  // A link to one of 8 columns carries an eighth of the load, one to one of 4 rows a quarter.
  constexpr Shape k8x4{8, 4, 8};
  Open run(spec_of("uniform_random", 0.8), k8x4);
  EXPECT_EQ(count(run.pattern->links()), k8x4.links());
  const auto starts = run.count_starts(20'000);
  for (unsigned port = 0; port < k8x4.ports(); ++port) {
    const bool is_x = port < k8x4.x_ports();
    EXPECT_THAT(starts[port], Each(AllOf(Ge(is_x ? 1800U : 3700U), Le(is_x ? 2200U : 4300U))));
  }
}

TEST(Hotspot, WithItsWholeShareUsesOnlyLinksIntoTheHotspotsRowAndColumn) {
  TrafficSpec spec = spec_of("hotspot");
  spec.hotspot_node = 13;
  spec.hotspot_share = 1.0;
  Open run(spec);
  EXPECT_EQ(count(run.pattern->links()), 112U);
  EXPECT_THAT(ports_of(run.pattern->links(), 13, k8x8), IsEmpty());
  EXPECT_THAT(ports_of(run.pattern->links(), 12, k8x8), ElementsAre("x0"));
  EXPECT_THAT(ports_of(run.pattern->links(), 32, k8x8), ElementsAre("x4", "y4"));
  run.step();
  EXPECT_EQ(run.started, run.pattern->links());
}

TEST(Hotspot, SendsItsShareToTheHotspotAndTheRestEverywhere) {
  TrafficSpec spec = spec_of("hotspot");
  spec.hotspot_node = 13;
  spec.hotspot_share = 0.5;
  Open run(spec);
  const auto starts = run.count_starts(16'000);
  // Node 12 reaches column 5 over x[0]: 1/2 + 1/2 * 1/8; any other column: 1/2 * 1/8.
  EXPECT_THAT(starts[0][12], AllOf(Ge(8700U), Le(9300U)));
  EXPECT_THAT(starts[1][12], AllOf(Ge(900U), Le(1100U)));
}

TEST(Bursts, AreAlwaysComplete) {
  TrafficSpec spec = spec_of("bursts", 0.5);
  spec.burst_length = 5;
  Open run(spec);
  unsigned length = 0;
  unsigned bursts = 0;
  for (unsigned cycle = 0; cycle < 5'000; ++cycle) {
    run.step();
    if (run.started.test(4, 21)) {
      ++length;
    } else if (length != 0) {
      EXPECT_EQ(length % 5, 0U) << "a burst, or several without a gap, ended in cycle " << cycle;
      length = 0;
      ++bursts;
    }
  }
  EXPECT_GT(bursts, 100U);
}

TEST(Bursts, KeepTheLoadAsTheirMeanRate) {
  for (const double load : {0.05, 0.3, 0.9, 1.0}) {
    TrafficSpec spec = spec_of("bursts", load);
    spec.burst_length = 16;
    Open run(spec);
    std::uint64_t starts = 0;
    for (unsigned cycle = 0; cycle < 20'000; ++cycle) {
      run.step();
      starts += count(run.started);
    }
    EXPECT_NEAR(static_cast<double>(starts) / (20'000.0 * 896), load, 0.02 * load);
  }
}

TEST(Patterns, StayInsideTheFabricWhenNodesDoNotFillAWord) {
  for (const std::string_view pattern : pattern_names()) {
    constexpr Shape k9x8{9, 8, 8};
    if (problem(spec_of(pattern, 0.7), k9x8)) continue;
    Open run(spec_of(pattern, 0.7), k9x8);
    const BitPlane all = full(k9x8);
    for (unsigned cycle = 0; cycle < 50; ++cycle) {
      run.step();
      for (std::size_t w = 0; w < all.size(); ++w) {
        EXPECT_EQ(run.started.data()[w] & ~run.pattern->links().data()[w], 0U) << pattern;
        EXPECT_EQ(run.pattern->links().data()[w] & ~all.data()[w], 0U) << pattern;
      }
    }
  }
}

TEST(Patterns, OfOneSeedAreTheSameAndOfTwoSeedsAreNot) {
  for (const char* const pattern :
       {"all_links", "uniform_random", "hotspot", "bursts", "heavy_tailed", "length_sweep"}) {
    Open a(spec_of(pattern, 0.5), k8x8, 7);
    Open b(spec_of(pattern, 0.5), k8x8, 7);
    Open other(spec_of(pattern, 0.5), k8x8, 8);
    bool differs = false;
    for (unsigned cycle = 0; cycle < 100; ++cycle) {
      a.step();
      b.step();
      other.step();
      EXPECT_EQ(a.started, b.started);
      differs = differs || !(a.started == other.started);
    }
    EXPECT_TRUE(differs) << pattern;
  }
}

TEST(Names, OfPatternsAreUniqueAndReadBack) {
  const std::vector<std::string_view> names = pattern_names();
  EXPECT_EQ(std::set<std::string_view>(names.begin(), names.end()).size(), names.size());
  EXPECT_EQ(names.size(), 17U);
  for (const std::string_view name : names) EXPECT_EQ(pattern_name(spec_of(name)), name);
}

/// A kind of traffic with the name of a pattern of links would make the name mean two things.
TEST(Names, OfPatternsOfLinksAreNotLeftForKindsOfTraffic) {
  for (const auto& [name, pattern] : kLinkPatternNames) {
    EXPECT_THAT(topology::other_traffic_names(), ::testing::Contains(name));
  }
}

TEST(Kinds, WithSeveralDestinationsUseTheLinksTowardsThem) {
  static const topology::TrafficKind kind{"corners", "",
                                          [](std::uint32_t, const topology::TrafficShape& shape) {
                                            return std::vector<std::uint32_t>{0, shape.grid.nx - 1};
                                          }};
  TrafficSpec spec;
  spec.pattern = Pattern::Destinations;
  spec.kind = &kind;
  Open run(spec);
  // Node 13 is [1,5], the corners are [0,0] and [0,7].
  EXPECT_THAT(ports_of(run.pattern->links(), 13, k8x8), ElementsAre("x1", "x2", "y6"));
  unsigned starts = 0;
  for (unsigned cycle = 0; cycle < 10'000; ++cycle) {
    run.step();
    starts += run.started.test(1, 13) ? 1 : 0;
  }
  EXPECT_NEAR(starts, 5'000, 150);
}

TEST(Kinds, ThatNameANodeBeyondTheLastAreRefused) {
  static const topology::TrafficKind kind{"outside", "",
                                          [](std::uint32_t, const topology::TrafficShape& shape) {
                                            return std::vector<std::uint32_t>{shape.count};
                                          }};
  TrafficSpec spec;
  spec.pattern = Pattern::Destinations;
  spec.kind = &kind;
  EXPECT_EQ(problem(spec, k8x8),
            "pattern outside sends from node 0 to node 64, but a 8x8 fabric has 64");
}

std::string problem_of(const TrafficSpec& spec, const Shape& shape) {
  return problem(spec, shape).value_or("none");
}

TEST(Rules, RefusePatternsThatAShapeCannotHave) {
  EXPECT_EQ(problem_of(spec_of("transpose"), {8, 3, 8}),
            "pattern transpose needs a square grid, which a 8x3 fabric is not");
  EXPECT_EQ(problem_of(spec_of("shuffle"), {6, 4, 8}),
            "pattern shuffle needs 2^b endpoints; a 6x4 fabric has 24");
  EXPECT_EQ(problem_of(spec_of("booksim.tornado"), {2, 2, 8}),
            "pattern booksim.tornado uses no link of a 2x2 fabric");
  EXPECT_EQ(problem_of(spec_of("transpose"), {5, 5, 8}), "none");
  EXPECT_EQ(problem_of(spec_of("bit_reverse"), {8, 4, 8}), "none");
  const topology::MazeLinks links(8, 3);
  EXPECT_THROW((void)make_traffic_pattern(spec_of("transpose"), {8, 3, 8}, links, Rng(1)),
               std::invalid_argument);
}

TEST(Rules, RefuseValuesOutOfRange) {
  const auto refused = [](auto change) {
    TrafficSpec spec = spec_of("hotspot");
    change(spec);
    return problem_of(spec, k8x8);
  };
  EXPECT_EQ(refused([](TrafficSpec&) {}), "none");
  EXPECT_EQ(refused([](TrafficSpec& s) { s.load = 1.5; }),
            "load is 1.5, it must lie between 0 and 1");
  EXPECT_EQ(refused([](TrafficSpec& s) { s.qos_high = -0.5; }),
            "qos_high is -0.5, it must lie between 0 and 1");
  EXPECT_EQ(refused([](TrafficSpec& s) { s.load = std::nan(""); }),
            "load is nan, it must lie between 0 and 1");
  EXPECT_EQ(refused([](TrafficSpec& s) {
              s.types = {0, 0, 0, 0};
            }),
            "all weights in types are 0, at least one must be more");
  EXPECT_EQ(refused([](TrafficSpec& s) {
              s.types = {1, -2, 0, 0};
            }),
            "a weight in types is -2, it must be 0 or more");
  EXPECT_EQ(refused([](TrafficSpec& s) { s.hotspot_node = 64; }),
            "hotspot_node is 64, the last node of a 8x8 fabric is 63");
  EXPECT_EQ(refused([](TrafficSpec& s) { s.burst_length = 0; }),
            "burst_length is 0, it must be at least 1");
  EXPECT_EQ(refused([](TrafficSpec& s) { s.pattern = Pattern::Trace; }),
            "pattern trace needs a trace_file");
}

}  // namespace
}  // namespace kernbench::sim
