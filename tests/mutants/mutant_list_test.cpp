// SPDX-License-Identifier: Apache-2.0
#include "mutant_list.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "common/atomic_file.hpp"
#include "common/diagnostics.hpp"
#include "common/text_file.hpp"
#include "tests/common/temp_folder.hpp"

namespace kernbench::mutants {
namespace {

using ::testing::ElementsAre;

/// A stage, and the files that plant_together() edits.
class MutantList : public ::testing::Test {
 protected:
  MutantList() {
    common::ensure_directory(rtl());
    write("maze_pkg.sv", "package maze_pkg;\nendpackage\n");
    write("topo.sv", "  localparam int unsigned PyldW = 1;\n  .valid_i(a[0]), .n((1) + (2))\n");
    write("stage.sv", "assign stall = full & ~ready;\n  full <= 1'b0;\nif (W < 1) x;\n");
  }
  void write(const std::string& name, const std::string& text) const {
    common::write_file_atomically(folder_.path() / "rtl" / name, text);
  }
  [[nodiscard]] std::string planted(const std::string& name) const {
    return common::read_text_file(folder_.path() / "planted" / name);
  }
  [[nodiscard]] std::string rtl() const { return (folder_.path() / "rtl").string(); }
  [[nodiscard]] std::vector<unsigned> numbers(const std::vector<Edit>& edits) {
    for (const Edit& edit : edits) mutants_.emplace_back().edits = {edit};
    number(mutants_, rtl());
    std::vector<unsigned> all;
    for (const Mutant& mutant : mutants_) all.push_back(mutant.number);
    return all;
  }
  common::TempFolder folder_;
  std::vector<Mutant> mutants_;
};

TEST_F(MutantList, PutsMutantsOfOneExpressionBehindEachOther) {
  EXPECT_THAT(numbers({{"stage.sv", "assign stall = full & ~ready;", "assign stall = ~ready;"},
                       {"stage.sv", "assign stall = full & ~ready;", "assign stall  = full;"},
                       {"topo.sv", "(a[0])", "(1'b1)"}}),
              ElementsAre(1, 2, 3));
  plant_together(mutants_, rtl(), (folder_.path() / "planted").string());
  EXPECT_EQ(planted("stage.sv"),
            "assign stall = maze_pkg::mutant == 2 ? ( full) : ( maze_pkg::mutant == 1 ? ( ~ready) "
            ": ( full & ~ready));\n  full <= 1'b0;\nif (W < 1) x;\n");
  EXPECT_EQ(planted("topo.sv"),
            "  initial if (!$value$plusargs(\"mutant=%d\", maze_pkg::mutant)) maze_pkg::mutant = "
            "0;\n  localparam int unsigned PyldW = 1;\n"
            "  .valid_i( maze_pkg::mutant == 3 ? (1'b1) : (a[0])), .n((1) + (2))\n");
  EXPECT_EQ(planted("maze_pkg.sv"), "package maze_pkg;\n  int unsigned mutant;\nendpackage\n");
}

TEST_F(MutantList, GivesNoNumberToWhatIsElaboratedOrOverlaps) {
  EXPECT_THAT(numbers({{"stage.sv", "full <= 1'b0;", "full <= 1'b1;"},
                       {"stage.sv", "1'b0;\nif", "1'b1;\nif"},
                       {"stage.sv", "  full <= 1'b0;", "  full <= 1'b1;"},
                       {"stage.sv", "assign stall = full & ~ready;", "assign other = 1'b0;"},
                       {"stage.sv", "if (W < 1) x;", "if (W < 2) x;"},
                       {"topo.sv", "(1) + (2)", "(1) + (3)"}}),
              ElementsAre(1, 0, 0, 0, 0, 0));
}

TEST_F(MutantList, RefusesRtlWithoutAPlaceForTheChoice) {
  write("maze_pkg.sv", "package maze_pkg;\n");
  EXPECT_THROW(plant_together({}, rtl(), (folder_.path() / "planted").string()), common::BadInput);
}

}  // namespace
}  // namespace kernbench::mutants
