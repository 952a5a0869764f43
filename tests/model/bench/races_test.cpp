// SPDX-License-Identifier: Apache-2.0
// Races of kernels on the model: one PE writes a row of a tensor, and its neighbour reads it.
#include <gtest/gtest.h>

#include "model/bench/runner.hpp"
#include "topology/graph/compile.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::bench {
namespace {

using data::DataType;
using kernel::Tile;
using kernel::Tl;

const topology::TopologyGraph& one_cube() {
  static const topology::TopologyGraph graph = [] {
    topology::TopologySpec spec;
    spec.system.sips = 1;
    spec.sip.cube_mesh_w = 1;
    spec.sip.cube_mesh_h = 1;
    return topology::compile_topology(spec);
  }();
  return graph;
}

enum class Notice { None, Before, After, InBackground };

/// PE 0 writes the row, then or before sends a notice to PE 1, which reads the row.
template <Notice notice>
void hand_over(runtime::Context& kb) {
  kb.session().install_neighbors({{{0, 0, 0}, "E", {0, 0, 1}, "W"}});
  const runtime::DpPolicy once{runtime::Placement::RowWise, runtime::Placement::RowWise};
  const runtime::Tensor row = kb.tensor(1, 16, DataType::I32, once);
  const runtime::Tensor copy = kb.tensor(1, 16, DataType::I32, once);
  kb.launch("hand over", [row = row->view(), copy = copy->view()](Tl& tl) {
    const auto send = [&] { tl.send("E", tl.full(1, 1, 1.0, DataType::I8)); };
    if (tl.program_id(0) == 0) {
      if (notice == Notice::Before) send();
      tl.store(row.whole(), tl.arange(16, DataType::I32));
      if (notice == Notice::After || notice == Notice::InBackground) send();
    } else if (tl.program_id(0) == 1) {
      if (notice == Notice::InBackground) {
        kernel::PendingTile pending = tl.irecv("W", 1, 1, DataType::I8);
        tl.store(copy.whole(), tl.load(row.whole()));
        (void)tl.wait(pending);
        return;
      }
      if (notice != Notice::None) (void)tl.recv("W", 1, 1, DataType::I8);
      tl.store(copy.whole(), tl.load(row.whole()));
    }
  });
  kb.launch("read again", [row = row->view()](Tl& tl) { (void)tl.load(row.whole()); });
}

data::RaceReport races_of(void (*body)(runtime::Context&)) {
  RunOptions options;
  options.races = true;
  return run_bench({"test", "", {}, body}, one_cube(), options).races;
}

TEST(RacesOfKernels, AReceiveBeforeTheReadOrdersIt) {
  const data::RaceReport report = races_of(hand_over<Notice::After>);
  EXPECT_EQ(report.accesses, 11U);
  EXPECT_EQ(report.pes, 8U);
  EXPECT_EQ(report.races.size(), 0U);
}

TEST(RacesOfKernels, NoMessageOrATooEarlyOneDoesNot) {
  for (const auto body :
       {hand_over<Notice::None>, hand_over<Notice::Before>, hand_over<Notice::InBackground>}) {
    const data::RaceReport report = races_of(body);
    ASSERT_EQ(report.races.size(), 1U);
    EXPECT_EQ(report.races[0].bytes, 64U);
    EXPECT_NE(report.races[0].earlier.writes, report.races[0].later.writes);
  }
}

enum class Wait { BeforeTheNotice, AfterTheNotice, AfterTheOwnRead };

/// PE 0 starts to write the row and sends a notice to PE 1, which reads the row. PE 0 waits for its
/// write at some time, and reads the row, too.
template <Wait wait>
void hand_over_in_flight(runtime::Context& kb) {
  kb.session().install_neighbors({{{0, 0, 0}, "E", {0, 0, 1}, "W"}});
  const runtime::DpPolicy once{runtime::Placement::RowWise, runtime::Placement::RowWise};
  const runtime::Tensor row = kb.tensor(1, 16, DataType::I32, once);
  kb.launch("write first", [row = row->view()](Tl& tl) {
    if (tl.program_id(0) == 0) tl.store(row.whole(), tl.arange(16, DataType::I32));
  });
  kb.launch("hand over", [row = row->view()](Tl& tl) {
    if (tl.program_id(0) == 0) {
      const kernel::Pending pending = tl.istore(row.whole(), tl.arange(16, DataType::I32));
      if (wait == Wait::BeforeTheNotice) tl.wait(pending);
      tl.send("E", tl.full(1, 1, 1.0, DataType::I8));
      if (wait == Wait::AfterTheNotice) tl.wait(pending);
      (void)tl.load(row.whole());
      if (wait == Wait::AfterTheOwnRead) tl.wait(pending);
    } else if (tl.program_id(0) == 1) {
      (void)tl.recv("W", 1, 1, DataType::I8);
      (void)tl.load(row.whole());
    }
  });
  kb.launch("read again", [row = row->view()](Tl& tl) { (void)tl.load(row.whole()); });
}

TEST(RacesOfKernels, AnOperationInFlightIsOrderedByItsWait) {
  EXPECT_EQ(races_of(hand_over_in_flight<Wait::BeforeTheNotice>).races.size(), 0U);
  EXPECT_EQ(races_of(hand_over_in_flight<Wait::AfterTheNotice>).races.size(), 1U);
  EXPECT_EQ(races_of(hand_over_in_flight<Wait::AfterTheOwnRead>).races.size(), 2U);
}

}  // namespace
}  // namespace kernbench::model::bench
