// SPDX-License-Identifier: Apache-2.0
#include "sim/build/build_settings.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "common/diagnostics.hpp"
#include "sim/build/build_plan.hpp"
#include "tests/places.hpp"

namespace kernbench::sim {
namespace {

const std::string kTopoF = places::source("/rtl/topo.f");

std::string error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const common::BadInput& error) {
    return error.what();
  }
  return "no error";
}

TEST(BuildSettings, AreTheSameAfterAFile) {
  BuildSettings settings;
  for (const char* word :
       {"DEVICE=network", "NX=3", "NY=5", "FLIT_W=16", "CHECKERS=0", "TRACE=1", "HIGH_BOUND=4",
        "FIXED=1", "LINKS=0", "NODE_CHECKERS=1", "COVERAGE=line,toggle", "OPT=-O1", "CXX=clang++",
        "DEFINE=A=\"b c\"", "FILE=/odd\n\\name.sv", "INCLUDE_DIR=/i", "LIBRARY_DIR=/l"}) {
    set(settings, word, kTopoF);
  }
  const std::string text = to_text(settings);
  const BuildSettings again = parse_settings(text, "settings");
  EXPECT_EQ(to_text(again), text);
  EXPECT_EQ(again.device, Device::Network);
  EXPECT_EQ(again.shape, (maze::Shape{3, 5, 16}));
  EXPECT_EQ(again.rtl.files, std::vector<std::string>{"/odd\n\\name.sv"});
}

TEST(BuildSettings, RefuseWhatTheyDoNotKnow) {
  const auto error = [](const std::string& word) {
    return error_of([&] {
      BuildSettings settings;
      set(settings, word, kTopoF);
      check(settings);
    });
  };
  EXPECT_EQ(error("NX"), "error: 'NX' is not a setting; expected NAME=VALUE, such as NX=4");
  EXPECT_EQ(error("CHECKER=1"),
            "error: 'CHECKER' is not a setting of a model; did you mean 'CHECKERS'?");
  EXPECT_EQ(error("NX=17"), "error: NX: '17' is not a whole number from 2 to 16");
  EXPECT_EQ(error("TRACE=yes"), "error: TRACE: 'yes' is not 0 or 1");
  EXPECT_EQ(error("DEVICE=chip"), "error: DEVICE: 'chip' is not topo, network, noc or irs_bench");
  EXPECT_EQ(error("COVERAGE=branch"),
            "error: COVERAGE: 'branch' is not none, line, toggle or line,toggle");
  EXPECT_EQ(error("CXX=g++;touch x"),
            "error: CXX: 'g++;touch x' has characters that a makefile cannot have; letters, digits "
            "and \"-_./+= \" are possible");
  EXPECT_EQ(error("RTL_DIR=/nowhere"), "error: --rtl-dir: '/nowhere' is not a folder");
}

TEST(BuildSettings, OfADamagedFileAreRefused) {
  EXPECT_EQ(error_of([] { (void)parse_settings("", "s"); }), "error: s: the file is empty");
  EXPECT_EQ(error_of([] { (void)parse_settings("NX=4\nRTL_ARGS=/x\n", "s"); }),
            "error: s:2: 'RTL_ARGS=/x' is not a setting of a model; build it again");
}

// Whatever the user's paths are, Verilator, make and the compiler see plain names.
TEST(BuildPlan, HasNoCharacterOfAUsersPath) {
  BuildSettings settings;
  settings.rtl.files = {"/a b/$(x);`y`'\"#%.sv", "/a b/plain.sv"};
  settings.rtl.include_dirs = {"/i n\nc"};
  settings.rtl.library_dirs = {"/l&b"};
  settings.rtl.library_files = {"/v*/lib.v"};
  const BuildPlan plan = plan_build(settings, "/my check out");
  for (const auto* words : {&plan.design, &plan.model, &plan.design_sources, &plan.model_sources,
                            &plan.compile, &plan.link, &plan.make}) {
    for (const std::string& word : *words) {
      EXPECT_EQ(word.find_first_of(" \t\n$`'\"#%;&*()<>|\\?"), std::string::npos) << word;
    }
  }
  EXPECT_EQ(plan.names.path_of("kb_src/1/source.sv"), settings.rtl.files[0]);
  EXPECT_EQ(plan.names.path_of("kb_src/2/plain.sv"), settings.rtl.files[1]);
  EXPECT_EQ(plan.names.path_of("kb_inc/0"), "/i n\nc");
  EXPECT_EQ(plan.names.path_of("kb_inc/1"), "/l&b");
}

TEST(BuildPlan, IsTheSameForEqualSourcesElsewhere) {
  BuildSettings here;
  here.rtl.files = {"/one/topo.sv"};
  BuildSettings there;
  there.rtl.files = {"/two/topo.sv"};
  const BuildPlan a = plan_build(here, "/one/checkout");
  const BuildPlan b = plan_build(there, "/two/checkout");
  EXPECT_EQ(a.model_sources, b.model_sources);
  EXPECT_EQ(a.design_sources, b.design_sources);
  EXPECT_EQ(a.compile, b.compile);
}

}  // namespace
}  // namespace kernbench::sim
