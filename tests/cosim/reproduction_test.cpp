// SPDX-License-Identifier: Apache-2.0
#include "cosim/workload/reproduction.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <memory>

#include "common/diagnostics.hpp"
#include "common/text_file.hpp"
#include "model/fabric/traffic/transfer_list.hpp"
#include "tests/common/temp_folder.hpp"
#include "tests/sim/reference_dut.hpp"
#include "tests/sim/shapes.hpp"
#include "topology/spec/sip_spec.hpp"

namespace kernbench::cosim {
namespace {

std::shared_ptr<sim::MazeDut> make_dut(std::uint64_t /*seed*/) {
  return std::make_shared<sim::ReferenceDut>(sim::k4x3);
}

class ReproductionFile : public ::testing::Test {
 protected:
  ReproductionFile() {
    sip_.inter_cube = topology::InterCube::Maze;
    sip_.cube_mesh_w = sim::k4x3.nx;
    sip_.cube_mesh_h = sim::k4x3.ny;
    workload_.name = "multicasts";
    workload_.transfers = model::fabric::multicasts(sim::k4x3.nodes(), 50, 40, 1);
    options_.make_dut = make_dut;
    options_.rtl.fault.emplace().kind = sim::FaultKind::Drop;
    options_.rtl.fault->link = sim::LinkEnd{5, 3};
    options_.rtl.seed = 3;
    options_.receiver_stalls = 0.25;
    options_.seed = 9;
  }
  /// Runs a failing workload and writes its reproduction to path_.
  FabricRun fail_and_write() {
    const FabricRun run = run_on_fabric(FabricKind::Rtl, sip_, workload_, options_);
    EXPECT_EQ(run.outcome, common::Outcome::Mismatch);
    write_reproduction(path_, reproduction_of(sip_, workload_, run, options_), {});
    return run;
  }
  /// Returns the error for the file after one replacement in it.
  std::string message_after(const std::string& from, const std::string& to) {
    std::string text = common::read_text_file(path_.string());
    const auto at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    text.replace(at, from.size(), to);
    std::ofstream(path_) << text;
    try {
      (void)read_reproduction(path_);
    } catch (const common::BadInput& error) {
      return error.what();
    }
    return "accepted";
  }

  common::TempFolder folder_;
  std::filesystem::path path_ = folder_.path() / "reproduction.json";
  topology::SipSpec sip_;
  TransferWorkload workload_;
  FabricRunOptions options_ = [] {
    FabricRunOptions ideal;
    ideal.nodes = model::fabric::MazeNodeKind::Ideal;
    return ideal;
  }();
};

TEST_F(ReproductionFile, BringsTheSameFailureAgain) {
  const FabricRun run = fail_and_write();
  const Reproduction reproduction = read_reproduction(path_);
  EXPECT_EQ(reproduction.failure, run.reason);
  EXPECT_EQ(reproduction.cycle, run.rtl->failures.front().cycle);
  const FabricRun again = replay(reproduction, make_dut, {});
  EXPECT_EQ(again.reason, run.reason);
  EXPECT_EQ(again.clocked->cycles, run.clocked->cycles);
  EXPECT_EQ(again.clocked->packet_hash, run.clocked->packet_hash);
}

TEST_F(ReproductionFile, HasNoTransfersThatCameAfterTheFailure) {
  workload_.transfers.push_back({common::SimTime::from_ps(1'000'000'000), 0, 1, {}, {}, 1});
  fail_and_write();
  EXPECT_EQ(read_reproduction(path_).workload.transfers.size(), 50U);
}

TEST_F(ReproductionFile, RefusesWhatItWouldNotHaveWritten) {
  const std::string file = path_.string();
  const auto after = [&](const std::string& from, const std::string& to) {
    fail_and_write();
    return message_after(from, to);
  };
  EXPECT_EQ(after("\"nx\": 4", "\"nx\": 17"),
            file + ": error: 'data.nx' must be an integer from 2 to 16, not '17'");
  EXPECT_EQ(after("\"order\": \"xy\"", "\"order\": \"zz\""),
            file + ": error: 'data.order' must be one of xy, yx, not 'zz'");
  EXPECT_THAT(after("\"kind\": \"drop\"", "\"kind\": \"lose\""),
              ::testing::StartsWith(file + ": error: 'data.fault.kind' must be one of "));
  EXPECT_EQ(after("\"port\": 3", "\"port\": 5"),
            file + ": error: 'data.fault.link.port' must be an integer from 0 to 4, not '5'");
  EXPECT_EQ(after("\"receiver_stalls\": 0.25", "\"receiver_stalls\": 2"),
            file + ": error: 'data.receiver_stalls' must be a number from 0 to 1, not '2'");
  EXPECT_THAT(after("\"failure\"", "\"failed\""),
              ::testing::StartsWith(file + ": error: missing key 'data.failure'\n"));
  EXPECT_THAT(after("\"src\"", "\"source\""), ::testing::HasSubstr("source"));
}

}  // namespace
}  // namespace kernbench::cosim
