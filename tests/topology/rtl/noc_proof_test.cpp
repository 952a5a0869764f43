// SPDX-License-Identifier: Apache-2.0
#include "topology/rtl/noc_proof.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "common/diagnostics.hpp"
#include "tests/common/temp_folder.hpp"

namespace kernbench::topology {
namespace {

std::string error_of(const NocProofCall& call) {
  try {
    (void)prove_noc(call);
  } catch (const common::BadInput& error) {
    return error.what();
  }
  return "";
}

class NocProof : public ::testing::Test {
 protected:
  /// Puts a script in the place of formal/prove.py.
  void script(const std::string& text) {
    std::filesystem::create_directories(folder_.path() / "formal");
    (void)folder_.write("formal/prove.py", text);
  }
  [[nodiscard]] NocProofCall call() const {
    return {.root = folder_.path(), .work = folder_.path() / "work", .network = "Mesh2D(2,2)"};
  }
  common::TempFolder folder_;
};

TEST_F(NocProof, NeedsACheckout) {
  EXPECT_EQ(error_of(call()), "error: there is no " +
                                  (folder_.path() / "formal/prove.py").string() +
                                  ": proofs need a checkout of the sources");
}

TEST_F(NocProof, HasTheOutcomeAndTheLinesOfTheScript) {
  script("import sys\nprint(*sys.argv[1:5])\nsys.exit(1)\n");
  const topology::NocProof proof = prove_noc(call());
  EXPECT_EQ(proof.outcome, common::Outcome::Mismatch);
  EXPECT_EQ(proof.text, "--network Mesh2D(2,2) --lanes 1\n");
  script("print('PASS')\n");
  EXPECT_EQ(prove_noc(call()).outcome, common::Outcome::Pass);
}

TEST_F(NocProof, TellsWhatTheScriptDoesNow) {
  const std::filesystem::path work = call().work;
  EXPECT_EQ(proof_progress(work), "reading the network");
  std::filesystem::create_directories(work);
  (void)folder_.write("work/progress", "of an earlier call\n");
  script(
      "import pathlib, sys\n"
      "work = pathlib.Path(sys.argv[sys.argv.index('--work') + 1])\n"
      "print((work / 'progress').exists())\n"
      "(work / 'progress').write_text('NOC_NODE.d1: statement 2 of 5\\n')\n");
  EXPECT_EQ(prove_noc(call()).text, "False\n");
  EXPECT_EQ(proof_progress(work), "NOC_NODE.d1: statement 2 of 5");
}

TEST_F(NocProof, AToolThatFailsIsAnError) {
  script("import sys\nprint('error: yosys is not installed')\nsys.exit(5)\n");
  EXPECT_THAT(error_of(call()), ::testing::HasSubstr("error: yosys is not installed"));
}

}  // namespace
}  // namespace kernbench::topology
