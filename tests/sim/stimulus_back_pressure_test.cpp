// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "shapes.hpp"
#include "sim/stimulus/back_pressure.hpp"
#include "sim/stimulus/traffic_rules.hpp"

namespace kernbench::sim {
namespace {

using common::Rng;
using maze::BitPlane;
using maze::Shape;

BackPressureSpec spec_of(BackPressure kind) {
  BackPressureSpec spec;
  spec.kind = kind;
  return spec;
}

/// Returns one text per receiver, [port*nodes + node], with a character per cycle: 'r' ready, '-'
/// stalled.
std::vector<std::string> record(const BackPressureSpec& spec, unsigned cycles, Shape shape = k8x8) {
  BackPressureGenerator generator(shape, spec, Rng::stream(1, "back_pressure"));
  std::vector<std::string> lines(shape.links());
  BitPlane ready(shape);
  for (unsigned cycle = 0; cycle < cycles; ++cycle) {
    generator.ready(cycle, ready);
    for (unsigned link = 0; link < shape.links(); ++link) {
      lines[link] += ready.test(link / shape.nodes(), link % shape.nodes()) ? 'r' : '-';
    }
  }
  return lines;
}

/// Returns the lengths of the complete runs of `what` in a line.
std::vector<std::size_t> runs(const std::string& line, char what) {
  std::vector<std::size_t> lengths;
  for (std::size_t at = line.find_first_not_of(what); at < line.size();) {
    const std::size_t begin = line.find(what, at);
    if (begin == std::string::npos) break;
    const std::size_t end = line.find_first_not_of(what, begin);
    if (end == std::string::npos) break;
    lengths.push_back(end - begin);
    at = end;
  }
  return lengths;
}

TEST(BackPressureNone, KeepsEveryReceiverReady) {
  for (const std::string& line : record(spec_of(BackPressure::None), 5)) EXPECT_EQ(line, "rrrrr");
}

TEST(BackPressureRandom, IsReadyWithItsProbability) {
  BackPressureSpec spec = spec_of(BackPressure::Random);
  spec.ready_probability = 0.3;
  for (const std::string& line : record(spec, 5'000)) {
    EXPECT_NEAR(static_cast<double>(std::ranges::count(line, 'r')), 1500, 170);
  }
}

TEST(BackPressurePeriodic, RepeatsReadyThenStalledWithAPhaseOfEachLinksOwn) {
  BackPressureSpec spec = spec_of(BackPressure::Periodic);
  spec.ready_cycles = 3;
  spec.stalled_cycles = 2;
  std::set<std::string> phases;
  for (const std::string& line : record(spec, 50)) {
    for (std::size_t i = 5; i < line.size(); ++i) EXPECT_EQ(line[i], line[i - 5]);
    phases.insert(line.substr(0, 5));
  }
  EXPECT_EQ(phases, (std::set<std::string>{"rrr--", "rr--r", "r--rr", "--rrr", "-rrr-"}));
}

TEST(BackPressureLongStalls, StallsEachLinkForTheWholeLengthAtTimesOfItsOwn) {
  BackPressureSpec spec = spec_of(BackPressure::LongStalls);
  spec.stall_length = 7;
  spec.stall_interval = 20;
  std::set<std::string> different;
  std::size_t pauses = 0;
  std::size_t paused_cycles = 0;
  std::size_t stalls = 0;
  for (const std::string& line : record(spec, 2'000)) {
    different.insert(line);
    for (const std::size_t length : runs(line, '-')) {
      EXPECT_EQ(length % 7, 0U) << "one stall, or several without a pause";
      stalls += length / 7;
    }
    for (const std::size_t length : runs(line, 'r')) {
      ++pauses;
      paused_cycles += length;
    }
  }
  EXPECT_EQ(different.size(), 896U);
  EXPECT_NEAR(static_cast<double>(paused_cycles) / static_cast<double>(stalls), 20, 0.6);
  EXPECT_LT(pauses, stalls) << "stalls may follow each other at once";
}

TEST(BackPressureAllStalled, StallsAllReceiversAtOnceInTheSameCycles) {
  BackPressureSpec spec = spec_of(BackPressure::AllStalled);
  spec.stall_length = 3;
  spec.stall_interval = 5;
  for (const std::string& line : record(spec, 18)) EXPECT_EQ(line, "rrrrr---rrrrr---rr");
}

TEST(BackPressure, StaysInsideTheFabricWhenNodesDoNotFillAWord) {
  constexpr Shape k9x8{9, 8, 8};
  for (const BackPressure kind :
       {BackPressure::None, BackPressure::Random, BackPressure::Periodic, BackPressure::LongStalls,
        BackPressure::AllStalled, BackPressure::HeavyTailed, BackPressure::LengthSweep}) {
    BackPressureGenerator generator(k9x8, spec_of(kind), Rng(1));
    BitPlane ready(k9x8);
    for (unsigned cycle = 0; cycle < 200; ++cycle) {
      generator.ready(cycle, ready);
      for (unsigned port = 0; port < k9x8.ports(); ++port) EXPECT_EQ(ready.port(port)[1] >> 8, 0U);
    }
  }
}

TEST(BackPressure, OfOneSeedIsTheSame) {
  for (const BackPressure kind :
       {BackPressure::Random, BackPressure::Periodic, BackPressure::LongStalls,
        BackPressure::HeavyTailed, BackPressure::LengthSweep}) {
    EXPECT_EQ(record(spec_of(kind), 300), record(spec_of(kind), 300));
  }
}

TEST(BackPressureRules, RefuseValuesOutOfRange) {
  const auto refused = [](auto change) {
    BackPressureSpec spec;
    change(spec);
    return problem(spec).value_or("none");
  };
  EXPECT_EQ(refused([](BackPressureSpec&) {}), "none");
  EXPECT_EQ(refused([](BackPressureSpec& s) { s.ready_probability = 2; }),
            "ready_probability is 2, it must lie between 0 and 1");
  EXPECT_EQ(refused([](BackPressureSpec& s) { s.ready_cycles = 0; }),
            "ready_cycles is 0, it must be at least 1");
  EXPECT_EQ(refused([](BackPressureSpec& s) { s.stalled_cycles = 0; }),
            "stalled_cycles is 0, it must be at least 1");
  EXPECT_EQ(refused([](BackPressureSpec& s) { s.stall_length = 0; }),
            "stall_length is 0, it must be at least 1");
  EXPECT_EQ(refused([](BackPressureSpec& s) { s.stall_interval = 0; }),
            "stall_interval is 0, it must be at least 1");
  EXPECT_EQ(refused([](BackPressureSpec& s) { s.longest = 0; }),
            "longest is 0, it must lie between 1 and 100000");
  BackPressureSpec wrong;
  wrong.stall_length = 0;
  EXPECT_THROW(BackPressureGenerator(k8x8, wrong, Rng(1)), std::invalid_argument);
}

}  // namespace
}  // namespace kernbench::sim
