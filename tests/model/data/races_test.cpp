// SPDX-License-Identifier: Apache-2.0
#include "model/data/races.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "common/random.hpp"
#include "model/data/recorder.hpp"
#include "tests/model/data/data_fixture.hpp"
#include "topology/graph/compile.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::data {
namespace {

using common::SimTime;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// PEs 0 to 7 are those of SIP 0, 8 to 15 those of SIP 1.
const topology::TopologyGraph& two_sips() {
  static const topology::TopologyGraph graph = [] {
    topology::TopologySpec spec;
    spec.sip.cube_mesh_w = 1;
    spec.sip.cube_mesh_h = 1;
    return topology::compile_topology(spec);
  }();
  return graph;
}

/// A log that is written by hand.
class RacingLog {
 public:
  std::uint32_t launch(const std::string& name = "k") { return recorder_.add_launch(name); }

  std::uint32_t begin(std::uint32_t launch, unsigned pe, Params params) {
    OpRecord record;
    record.component =
        two_sips().find(fmt::format("sip{}.cube0.pe{}.pe_dma", pe / 8, pe % 8)).value();
    record.params = std::move(params);
    record.line = {"k.cpp", ++line_};
    record.launch = launch;
    return recorder_.begin(std::move(record));
  }
  void end(std::uint32_t number) { recorder_.end(number, SimTime{}); }
  void done(std::uint32_t launch, unsigned pe, Params params) {
    end(begin(launch, pe, std::move(params)));
  }
  void write(std::uint32_t launch, unsigned pe, const Block& block) {
    done(launch, pe,
         CopyParams{block_at(Space::Tcm, 0, block.type, block.rows, block.columns), block});
  }
  void read(std::uint32_t launch, unsigned pe, const Block& block) {
    done(launch, pe,
         CopyParams{block, block_at(Space::Tcm, 0, block.type, block.rows, block.columns)});
  }
  /// Begins a send to, or a receive of, a PE. A PE has one direction for each other one.
  std::uint32_t begin_send(std::uint32_t launch, unsigned from, unsigned to) {
    return begin(launch, from, message(true, from, to));
  }
  std::uint32_t begin_receive(std::uint32_t launch, unsigned from, unsigned to) {
    return begin(launch, to, message(false, from, to));
  }
  void message(std::uint32_t launch, unsigned from, unsigned to) {
    end(begin_send(launch, from, to));
    end(begin_receive(launch, from, to));
  }

  /// Returns "1w-3r" for a race of a write by the operation in line 1 and a read by that in line 3.
  [[nodiscard]] std::vector<std::string> races() const {
    std::vector<std::string> list;
    for (const Race& race : find_races(recorder_.log(), two_sips()).races) {
      list.push_back(side(race.earlier) + "-" + side(race.later));
    }
    return list;
  }
  [[nodiscard]] const OpLog& log() const { return recorder_.log(); }
  [[nodiscard]] Recorder& recorder() { return recorder_; }

 private:
  static Params message(bool send, unsigned from, unsigned to) {
    const auto receiver =
        two_sips().find(fmt::format("sip{}.cube0.pe{}.pe_ipcq", to / 8, to % 8)).value();
    return IpcqCopyParams{send, block_at(Space::Tcm, 0, DataType::F32, 1, 1), receiver, from};
  }
  [[nodiscard]] std::string side(const RaceSide& side) const {
    return fmt::format("{}{}", log().records()[side.record].line.line, side.writes ? "w" : "r");
  }

  Recorder recorder_;
  int line_ = 0;
};

Block hbm_bytes(std::uint64_t pa, std::uint64_t bytes) {
  return block_at(Space::Hbm, pa, DataType::I8, 1, bytes);
}

TEST(Races, AreWritesAndReadsOfTheSameBytesByTwoPes) {
  for (const bool first_writes : {false, true}) {
    for (const bool second_writes : {false, true}) {
      RacingLog log;
      const std::uint32_t k = log.launch();
      first_writes ? log.write(k, 0, hbm_bytes(100, 8)) : log.read(k, 0, hbm_bytes(100, 8));
      second_writes ? log.write(k, 1, hbm_bytes(104, 8)) : log.read(k, 1, hbm_bytes(104, 8));
      const RaceReport report = find_races(log.log(), two_sips());
      EXPECT_EQ(report.accesses, 2U);
      EXPECT_EQ(report.pes, 2U);
      ASSERT_EQ(report.races.size(), first_writes || second_writes ? 1U : 0U);
      if (report.races.empty()) continue;
      EXPECT_EQ(report.races[0].earlier, (RaceSide{0, first_writes}));
      EXPECT_EQ(report.races[0].later, (RaceSide{1, second_writes}));
      EXPECT_EQ(report.races[0].first, (Stretch{104, 4}));
      EXPECT_EQ(report.races[0].bytes, 4U);
    }
  }
}

TEST(Races, AreNotBetweenOperationsOfOnePeOrBytesSideBySide) {
  RacingLog log;
  const std::uint32_t k = log.launch();
  log.write(k, 0, hbm_bytes(100, 8));
  log.write(k, 0, hbm_bytes(100, 8));
  log.write(k, 1, hbm_bytes(108, 8));
  log.write(k, 2, hbm_bytes(92, 8));
  EXPECT_THAT(log.races(), IsEmpty());
}

TEST(Races, OfBlocksWithGapsAreThoseOfTheirRows) {
  // Two columns of 4 x 8 elements, then a block that crosses both.
  const auto columns = [](std::uint64_t first, std::uint64_t count) {
    Block block = hbm_bytes(1000 + first, 3 * 8 + count);
    block.rows = 4;
    block.columns = count;
    block.row_stride = 8;
    return block;
  };
  RacingLog log;
  const std::uint32_t k = log.launch();
  log.write(k, 0, columns(0, 3));
  log.write(k, 1, columns(3, 5));
  EXPECT_THAT(log.races(), IsEmpty());
  log.write(k, 2, columns(2, 2));
  const RaceReport report = find_races(log.log(), two_sips());
  EXPECT_THAT(log.races(), ElementsAre("1w-3w", "2w-3w"));
  EXPECT_EQ(report.races[0].first, (Stretch{1002, 1}));
  EXPECT_EQ(report.races[0].bytes, 4U);
  EXPECT_EQ(report.races[1].first, (Stretch{1003, 1}));
  EXPECT_EQ(report.races[1].bytes, 4U);
}

TEST(Races, AMessageOrdersAllBeforeItsSendAndAllAfterItsReceive) {
  RacingLog log;
  const std::uint32_t k = log.launch();
  log.write(k, 0, hbm_bytes(100, 8));
  const std::uint32_t send = log.begin_send(k, 0, 1);
  log.end(send);
  log.write(k, 0, hbm_bytes(200, 8));  // line 3: after the send
  const std::uint32_t receive = log.begin_receive(k, 0, 1);
  log.read(k, 1, hbm_bytes(100, 4));  // line 5: before the end of the receive
  log.end(receive);
  log.read(k, 1, hbm_bytes(100, 8));
  log.read(k, 1, hbm_bytes(200, 8));  // line 7
  EXPECT_THAT(log.races(), ElementsAre("1w-5r", "3w-7r"));
}

TEST(Races, OfAReadThatIsRepeatedAfterTheSendAreFound) {
  RacingLog log;
  const std::uint32_t k = log.launch();
  log.read(k, 0, hbm_bytes(100, 8));
  log.end(log.begin_send(k, 0, 1));
  log.read(k, 0, hbm_bytes(100, 8));  // line 3
  log.end(log.begin_receive(k, 0, 1));
  log.write(k, 1, hbm_bytes(100, 8));  // line 5
  EXPECT_THAT(log.races(), ElementsAre("3r-5w"));
}

TEST(Races, AnOrderPassesThroughOtherPes) {
  RacingLog log;
  const std::uint32_t k = log.launch();
  log.write(k, 0, hbm_bytes(100, 8));
  log.message(k, 0, 1);
  log.message(k, 1, 2);
  log.write(k, 2, hbm_bytes(100, 8));
  EXPECT_THAT(log.races(), IsEmpty());
  log.write(k, 1, hbm_bytes(100, 8));  // line 7
  EXPECT_THAT(log.races(), ElementsAre("6w-7w"));
}

TEST(Races, ADependencyThroughMemoryGivesNoOrder) {
  RacingLog log;
  const std::uint32_t k = log.launch();
  log.write(k, 0, hbm_bytes(100, 8));
  log.read(k, 1, hbm_bytes(100, 8));
  EXPECT_THAT(log.log().records()[1].dependencies, ElementsAre(0U));
  EXPECT_THAT(log.races(), ElementsAre("1w-2r"));
}

TEST(Races, ALaunchIsAfterThoseThatEndedBeforeItBegan) {
  RacingLog log;
  const std::uint32_t first = log.launch();
  const std::uint32_t beside = log.launch();
  const std::uint32_t second = log.launch();
  log.write(first, 0, hbm_bytes(100, 8));
  log.read(beside, 8, hbm_bytes(300, 8));
  log.write(second, 1, hbm_bytes(100, 8));
  EXPECT_THAT(log.races(), IsEmpty());
  log.write(beside, 9, hbm_bytes(100, 8));  // line 4: this launch began before the second one ended
  EXPECT_THAT(log.races(), ElementsAre("3w-4w"));
}

TEST(Races, AreNotLookedForInTilesAndCopiesOfTheHost) {
  RacingLog log;
  const std::uint32_t k = log.launch();
  const Block tile = block_at(Space::Tcm, 0, DataType::I8, 1, 8);
  log.done(k, 0, MathParams{components::MathOp::Fill, {0.0}, {}, tile});
  log.done(k, 1, MathParams{components::MathOp::Fill, {0.0}, {}, tile});
  HostCopyParams copy;
  copy.rows = 1;
  copy.columns = 8;
  copy.type = DataType::I8;
  copy.parts = {{0, 0, hbm_bytes(100, 8)}};
  log.done(OpLog::kNone, 0, copy);
  EXPECT_EQ(find_races(log.log(), two_sips()).accesses, 0U);
  log.write(k, 0, hbm_bytes(100, 8));
  EXPECT_THAT(log.races(), IsEmpty());
}

TEST(Races, AreDescribedByPeKernelLineTensorAndElements) {
  RacingLog log;
  TensorRecord old{1, 64, DataType::I8, {"old.cpp", 1}, {{0, 0, hbm_bytes(80, 64)}}};
  log.recorder().release_tensor(log.recorder().add_tensor(old));
  Block part = block_at(Space::Hbm, 80, DataType::F16, 2, 8);
  log.recorder().add_tensor({6, 16, DataType::F16, {"b.cpp", 20}, {{4, 8, part}}});
  log.write(log.launch("first"), 8, hbm_bytes(90, 12));
  const std::uint32_t k = log.launch("second");
  const std::uint32_t other = log.launch("third");
  const std::uint32_t write = log.begin(k, 0, CopyParams{hbm_bytes(0, 8), hbm_bytes(90, 12)});
  CompositeGemmParams gemm;
  gemm.a = hbm_bytes(90, 12);
  log.done(other, 9, gemm);
  log.end(write);
  log.write(k, 1, hbm_bytes(500, 12));
  log.write(other, 9, hbm_bytes(508, 12));
  const RaceReport report = find_races(log.log(), two_sips());
  ASSERT_THAT(log.races(), ElementsAre("2w-3r", "4w-5w"));
  const Race& race = report.races[0];
  EXPECT_EQ(text_of(race.earlier, log.log(), two_sips()),
            "kernel 'second' on sip0.cube0.pe0 writes them in tl.store at k.cpp:2");
  EXPECT_EQ(text_of(race.later, log.log(), two_sips()),
            "kernel 'third' on sip1.cube0.pe1 reads them in tl.composite at k.cpp:3");
  EXPECT_EQ(place_of(race, log.log()),
            "elements [4, 13] to [5, 10] of the tensor of 6 x 16 of f16 made at b.cpp:20");
  EXPECT_EQ(place_of(report.races[1], log.log()), "4 bytes at 0x1fc");
}

/// The order of a log by definition: as a relation of the begins and ends of all operations.
class OrderOracle {
 public:
  explicit OrderOracle(const OpLog& log) : log_(log), count_(log.records().size()) {
    after_.assign(2 * count_, std::vector<bool>(2 * count_));
    std::vector<std::size_t> moment(2 * count_);
    for (std::size_t i = 0; i < log.moments().size(); ++i) {
      moment[node(log.moments()[i].record, log.moments()[i].end)] = i;
    }
    std::vector<std::size_t> first(log.launches().size(), log.moments().size());
    std::vector<std::size_t> last(log.launches().size());
    for (std::size_t i = 0; i < log.moments().size(); ++i) {
      const std::uint32_t launch = log.records()[log.moments()[i].record].launch;
      first[launch] = std::min(first[launch], i);
      last[launch] = std::max(last[launch], i);
    }
    for (std::size_t a = 0; a < count_; ++a) {
      after_[node(a, false)][node(a, true)] = true;
      for (std::size_t b = 0; b < count_; ++b) {
        const OpRecord& from = log.records()[a];
        const OpRecord& to = log.records()[b];
        const bool same_pe = pe(a) == pe(b) && moment[node(a, true)] < moment[node(b, false)];
        if (same_pe || last[from.launch] < first[to.launch]) {
          after_[node(a, true)][node(b, false)] = true;
        }
        const auto* const receive = std::get_if<IpcqCopyParams>(&to.params);
        if (receive != nullptr && !receive->send && !to.dependencies.empty() &&
            to.dependencies[0] == a) {
          after_[node(a, false)][node(b, true)] = true;
        }
      }
    }
    for (std::size_t via = 0; via < 2 * count_; ++via) {
      for (std::size_t a = 0; a < 2 * count_; ++a) {
        if (!after_[a][via]) continue;
        for (std::size_t b = 0; b < 2 * count_; ++b) {
          if (after_[via][b]) after_[a][b] = true;
        }
      }
    }
  }

  [[nodiscard]] std::uint32_t pe(std::size_t record) const {
    const topology::Node& node = two_sips().node(log_.records()[record].component);
    return node.sip * 8 + node.pe;
  }
  /// Returns all pairs of accesses that race.
  [[nodiscard]] std::set<std::pair<std::uint32_t, std::uint32_t>> races() const {
    std::set<std::pair<std::uint32_t, std::uint32_t>> pairs;
    for (std::uint32_t b = 0; b < count_; ++b) {
      for (std::uint32_t a = 0; a < b; ++a) {
        if (conflict(a, b) && !after_[node(a, true)][node(b, false)]) pairs.emplace(a, b);
      }
    }
    return pairs;
  }

 private:
  static std::size_t node(std::size_t record, bool end) { return 2 * record + (end ? 1 : 0); }
  [[nodiscard]] bool conflict(std::uint32_t a, std::uint32_t b) const {
    const auto* const x = std::get_if<CopyParams>(&log_.records()[a].params);
    const auto* const y = std::get_if<CopyParams>(&log_.records()[b].params);
    if (x == nullptr || y == nullptr || pe(a) == pe(b)) return false;
    const bool x_writes = x->target.space == Space::Hbm;
    const bool y_writes = y->target.space == Space::Hbm;
    if (!x_writes && !y_writes) return false;
    const Stretch& s = (x_writes ? x->target : x->source).stretches[0];
    const Stretch& t = (y_writes ? y->target : y->source).stretches[0];
    return s.pa < t.pa + t.bytes && t.pa < s.pa + s.bytes;
  }

  const OpLog& log_;
  std::size_t count_;
  std::vector<std::vector<bool>> after_;
};

TEST(Races, OfRandomLogsAreThoseOfTheDefinition) {
  std::size_t with_races = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    common::Rng random = common::Rng::stream(seed, "races");
    const auto draw = [&](std::uint64_t below) {
      return static_cast<unsigned>(random.bits64() % below);
    };
    RacingLog log;
    std::vector<std::uint32_t> launches = {log.launch(), log.launch()};
    std::vector<std::pair<unsigned, unsigned>> sent;  // messages on their way
    const auto access = [&](unsigned pe) {
      const Block block = hbm_bytes(100 + draw(40), 1 + draw(4));
      draw(2) == 0 ? log.write(launches[pe / 8], pe, block) : log.read(launches[pe / 8], pe, block);
    };
    for (int step = 0; step < 16; ++step) {
      const unsigned pe = draw(3) + 8 * draw(2);
      const unsigned what = draw(8);
      if (what < 3) {
        access(pe);
      } else if (what < 5) {
        const unsigned to = (pe % 8 + 1 + draw(2)) % 3 + 8 * draw(2);
        log.end(log.begin_send(launches[pe / 8], pe, to));
        sent.emplace_back(pe, to);
      } else if (what < 7 && !sent.empty()) {
        const auto [from, to] = sent.front();
        sent.erase(sent.begin());
        const std::uint32_t receive = log.begin_receive(launches[to / 8], from, to);
        if (draw(2) == 0) access(to);  // while the receive is in the background
        log.end(receive);
      } else if (what == 7 && sent.empty()) {
        launches[pe / 8] = log.launch();
      }
    }
    const auto expected = OrderOracle(log.log()).races();
    const RaceReport report = find_races(log.log(), two_sips());
    std::set<std::uint32_t> found;
    for (const Race& race : report.races) {
      EXPECT_EQ(expected.count({race.earlier.record, race.later.record}), 1U)
          << "seed " << seed << ": " << race.earlier.record << " " << race.later.record;
      found.insert(race.later.record);
    }
    // A later race of the same bytes may hide behind the first one.
    EXPECT_EQ(found.empty(), expected.empty()) << "seed " << seed;
    if (found.empty() || expected.empty()) continue;
    ++with_races;
    std::uint32_t first = expected.begin()->second;
    for (const auto& pair : expected) first = std::min(first, pair.second);
    EXPECT_EQ(*found.begin(), first) << "seed " << seed;
  }
  EXPECT_GT(with_races, 100U);
  EXPECT_LT(with_races, 300U);
}

}  // namespace
}  // namespace kernbench::model::data
