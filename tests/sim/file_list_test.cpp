// SPDX-License-Identifier: Apache-2.0
// File lists as other projects and simulators have them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <string_view>

#include "common/diagnostics.hpp"
#include "sim/dut/foreign_options.hpp"
#include "sim/dut/rtl_sources.hpp"
#include "tests/common/temp_folder.hpp"

namespace kernbench::sim {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

class FileList : public ::testing::Test {
 protected:
  void SetUp() override {
    unsetenv("KB_UNSET");
    setenv("KB_HOME", folder_.path().c_str(), 1);
    for (const char* name : {"a.sv", "b.sv", "lib.v", "side.c", "side.cpp", "a b.sv", "$x.sv"}) {
      std::ofstream(folder_.path() / name) << "\n";
    }
    for (const char* name : {"inc", "li b"}) fs::create_directory(folder_.path() / name);
  }
  void TearDown() override { unsetenv("KB_HOME"); }

  [[nodiscard]] std::string at(const std::string& name) const {
    return (folder_.path() / name).string();
  }
  [[nodiscard]] RtlSources read(const std::string& text) {
    RtlRequest request;
    request.filelist = folder_.write("x.f", text);
    return find_rtl(request, "rtl/topo.f");
  }
  /// Returns the error with the folder's path left out.
  [[nodiscard]] std::string error_of(const std::string& text) {
    try {
      (void)read(text);
    } catch (const common::BadInput& error) {
      std::string what = std::string(error.what()).substr(std::string_view("error: ").size());
      const std::string here = folder_.path().string() + "/";
      for (std::size_t i = what.find(here); i != std::string::npos; i = what.find(here)) {
        what.erase(i, here.size());
      }
      return what;
    }
    return "no error";
  }
  /// Returns the line about ignored options with the folder's path left out.
  [[nodiscard]] std::string ignored_of(const std::string& text) {
    std::string line = read(text).ignored;
    const std::string here = folder_.path().string() + "/";
    for (std::size_t i = line.find(here); i != std::string::npos; i = line.find(here)) {
      line.erase(i, here.size());
    }
    return line;
  }

  common::TempFolder folder_;
};

TEST_F(FileList, VariablesOfTheEnvironmentInEachSpellingAreReplaced) {
  const RtlSources sources = read(
      "+incdir+${KB_HOME}/inc\n$KB_HOME/a.sv\n$(KB_HOME)/b.sv\n-v $KB_HOME/lib.v\n"
      "-y \"$KB_HOME/li b\"\n+define+WHERE=$KB_HOME");
  EXPECT_THAT(sources.files, ElementsAre(at("a.sv"), at("b.sv")));
  EXPECT_THAT(sources.include_dirs, ElementsAre(at("inc")));
  EXPECT_THAT(sources.library_files, ElementsAre(at("lib.v")));
  EXPECT_THAT(sources.library_dirs, ElementsAre(at("li b")));
  EXPECT_THAT(sources.defines, ElementsAre("WHERE=" + folder_.path().string()));
}

TEST_F(FileList, EachVariableThatIsNotSetIsNamedWithItsLine) {
  EXPECT_EQ(error_of("a.sv\n$KB_UNSET/a.sv ${KB_UNSET2}/b.sv\n-f $(KB_UNSET)/y.f\n"),
            "x.f:2: the environment variable 'KB_UNSET' is not set (\\$ is a dollar sign)\n"
            "error: x.f:2: the environment variable 'KB_UNSET2' is not set (\\$ is a dollar sign)\n"
            "error: x.f:3: the environment variable 'KB_UNSET' is not set (\\$ is a dollar sign)");
}

TEST_F(FileList, AVariableThatIsEmptyIsSet) {
  setenv("KB_EMPTY", "", 1);
  EXPECT_THAT(read("${KB_EMPTY}a.sv").files, ElementsAre(at("a.sv")));
  unsetenv("KB_EMPTY");
}

TEST_F(FileList, ADollarSignCanBeWritten) {
  EXPECT_THAT(read("\\$x.sv").files, ElementsAre(at("$x.sv")));
  EXPECT_THAT(read("a.sv +define+BITS=$clog2(8)").defines, ElementsAre("BITS=$clog2(8)"));
}

TEST_F(FileList, AByteOrderMarkAndLinesOfWindowsAreAccepted) {
  const RtlSources sources = read("\xEF\xBB\xBF+incdir+inc\r\n// a comment\r\na.sv\r\nb.sv\r\n");
  EXPECT_THAT(sources.files, ElementsAre(at("a.sv"), at("b.sv")));
  EXPECT_THAT(sources.include_dirs, ElementsAre(at("inc")));
  EXPECT_EQ(error_of(std::string("\xFF\xFE"
                                 "a\0",
                                 4)),
            "x.f: not a file list: save it as plain text in UTF-8");
}

TEST_F(FileList, CommentsAndContinuedLinesOfOtherToolsAreRead) {
  const RtlSources sources =
      read("# of a shell\n  # too\n-y \\\n \"li b\"\n/* two\nlines */ \"a b.sv\" // end\na.sv");
  EXPECT_THAT(sources.files, ElementsAre(at("a b.sv"), at("a.sv")));
  EXPECT_THAT(sources.library_dirs, ElementsAre(at("li b")));
  EXPECT_EQ(error_of("a.sv\n/* b.sv\n"), "x.f:2: the comment has no end");
  EXPECT_EQ(error_of("a.sv \"b.sv\n"), "x.f:1: the quote has no end");
}

TEST_F(FileList, OptionsOfOtherSimulatorsAreIgnoredInOneLine) {
  EXPECT_EQ(ignored_of("-sv --lint-only\n-timescale=1ns/1ps\n--top-module tb\n-Wno-fatal a.sv\n"
                       "-l run.log +acc=rn +notimingchecks -timescale 1ns/1ps\n"),
            "ignored in x.f: -sv (line 1), --lint-only (line 1), -timescale=1ns/1ps (line 2), "
            "--top-module tb (line 3), -Wno-fatal (line 4), -l run.log (line 5), +acc=rn (line 5), "
            "+notimingchecks (line 5), -timescale 1ns/1ps (line 5)");
  EXPECT_EQ(read("-top tb a.sv").files.size(), 1U);
  EXPECT_EQ(ignored_of("a.sv\nb.sv"), "");
}

TEST_F(FileList, IgnoredOptionsOfSeveralListsAreOneLine) {
  (void)folder_.write("y.f", "-sv\nb.sv");
  EXPECT_EQ(ignored_of("-w\n-f y.f\n"), "ignored in y.f: -sv (line 1); in x.f: -w (line 1)");
}

TEST_F(FileList, AnOptionThatMayChangeTheDesignIsAnError) {
  for (const char* option : {"-pvalue+DEPTH=2", "-GDEPTH=2", "+parameter+DEPTH=2", "-gDEPTH=2",
                             "-U", "-sfcu", "--bbox-unsup", "-CFLAGS", "-L", "+unknown", "-P"}) {
    EXPECT_EQ(error_of(std::string("a.sv\n") + option),
              std::string("x.f:2: '") + option +
                  "' is not understood and may change the design; a file list has files, -f, -F, "
                  "-y, -v, -I, -D, +incdir+, +define+ and +libext+");
  }
}

TEST_F(FileList, AnOptionThatMayStandAloneTakesNoFile) {
  EXPECT_EQ(words_after_ignored("-assert", "svaext"), 1U);
  EXPECT_EQ(words_after_ignored("--assert", "a.sv"), 0U);
  EXPECT_EQ(words_after_ignored("-assert", ""), 0U);
  EXPECT_THAT(read("--assert a.sv").files, ElementsAre(at("a.sv")));
}

TEST_F(FileList, CFilesAreThoseOfImportedFunctions) {
  const RtlSources sources = read("a.sv side.c\nside.cpp");
  EXPECT_THAT(sources.files, ElementsAre(at("a.sv")));
  EXPECT_THAT(sources.dpi_files, ElementsAre(at("side.c"), at("side.cpp")));
  EXPECT_THAT(sources.arguments(), HasSubstr(at("side.c") + "\"\n"));
  RtlRequest request;
  request.files = {at("a.sv")};
  request.dpi_files = {at("side.c"), at("a.sv"), at("none.c")};
  try {
    (void)find_rtl(request, "rtl/topo.f");
    FAIL() << "no error";
  } catch (const common::BadInput& error) {
    EXPECT_EQ(std::string(error.what()), "error: --dpi: '" + at("a.sv") +
                                             "' is not a file of C or C++: .c, .cc, .cpp or .cxx\n"
                                             "error: --dpi: '" +
                                             at("none.c") + "' is not a file");
  }
}

TEST_F(FileList, SpellingsOfXceliumAreThoseOfVerilator) {
  const RtlSources sources = read("-incdir inc -define A=1 -I inc -D B a.sv");
  EXPECT_THAT(sources.include_dirs, ElementsAre(at("inc"), at("inc")));
  EXPECT_THAT(sources.defines, ElementsAre("A=1", "B"));
  EXPECT_EQ(error_of("a.sv -define"), "x.f:1: -define needs a macro");
}

TEST_F(FileList, AListThatNamesItselfIsOneError) {
  EXPECT_EQ(error_of("a.sv -f x.f -f x.f"),
            "x.f: the file list names itself, or a list that names it\n"
            "error: x.f: the file list names itself, or a list that names it");
}

TEST_F(FileList, AListWithoutASourceIsAnError) {
  EXPECT_EQ(error_of("// nothing\n+incdir+inc\n"), "x.f: the file list names no source");
  EXPECT_EQ(error_of(""), "x.f: the file list names no source");
}

TEST_F(FileList, AListThatIsNoFileIsRefused) {
  RtlRequest request;
  request.filelist = "/dev/null";
  EXPECT_THROW((void)find_rtl(request, "rtl/topo.f"), common::BadInput);
}

}  // namespace
}  // namespace kernbench::sim
