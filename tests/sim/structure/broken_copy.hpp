// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "common/text_file.hpp"
#include "sim/build/model_builder.hpp"
#include "sim/build/other_tools.hpp"
#include "sim/dut/source_names.hpp"
#include "sim/structure/structure_check.hpp"
#include "tests/common/temp_folder.hpp"
#include "tests/places.hpp"

namespace kernbench::sim::structure {

/// A copy of rtl/ to break. With KB_NEWER_VERILATOR= the path of another Verilator, which writes
/// JSON, every copy must have the same findings there.
class BrokenCopy : public ::testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::copy(places::source("/rtl"), rtl(), std::filesystem::copy_options::recursive);
  }

  [[nodiscard]] std::filesystem::path rtl() const { return folder_.path() / "rtl"; }

  void edit(const std::string& file, const std::string& old_text, const std::string& new_text) {
    std::string text = common::read_text_file(rtl() / file);
    const auto at = text.find(old_text);
    ASSERT_NE(at, std::string::npos) << file << " changed: adapt this test";
    text.replace(at, old_text.size(), new_text);
    std::ofstream(rtl() / file) << text;
  }

  /// Returns the findings as "topo.sv:46: message".
  [[nodiscard]] std::vector<std::string> findings() {
    std::vector<std::string> here = findings_of("verilator");
    if (const char* newer = std::getenv("KB_NEWER_VERILATOR")) {
      EXPECT_EQ(findings_of(newer), here);
    }
    return here;
  }

  /// Returns the folder of the dump that the last check has read.
  [[nodiscard]] std::filesystem::path dump_folder() const { return folder_.path() / "out/dump"; }
  /// Returns what it says about other tools.
  [[nodiscard]] OtherTools others() const { return read_other_tools(dump_folder()); }

  maze::Shape shape_{4, 2, 4};
  bool network_ = false;            ///< check the network, nodes included, instead of its links
  unsigned nodes_ = 0;              ///< that the last check found
  std::vector<std::string> notes_;  ///< notes of the last check

 private:
  [[nodiscard]] std::vector<std::string> findings_of(const std::string& verilator) {
    const std::string out = (folder_.path() / "out").string();
    BuildSettings settings;
    settings.device = network_ ? Device::Network : Device::Topo;
    settings.shape = shape_;
    settings.links = false;
    settings.verilator = verilator;
    RtlRequest request;
    if (network_) {
      request.filelist = (rtl() / "network/maze.f").string();
    } else {
      request.folder = rtl().string();
    }
    settings.rtl = find_rtl(request, places::source("/rtl/topo.f"));
    (void)ModelBuilder(places::kSource, out, settings, "the dump").elaborate();
    const std::string xml = out + "/dump/design.xml";
    const std::string dump = std::filesystem::exists(xml) ? xml : out + "/dump/design.tree.json";
    const CheckResult result =
        network_ ? check_network_structure(dump, shape_) : check_structure(dump, shape_);
    nodes_ = result.nodes;
    const SourceNames names = SourceNames::read(out);
    notes_ = lines_of(result.notes, names);
    return lines_of(result.findings, names);
  }

  [[nodiscard]] std::vector<std::string> lines_of(const std::vector<Finding>& findings,
                                                  const SourceNames& names) const {
    std::vector<std::string> lines;
    for (const Finding& finding : findings) {
      std::string line = names.user_text(finding.where + ": " + finding.message);
      const std::string folder = rtl().string() + "/";
      for (auto at = line.find(folder); at != std::string::npos; at = line.find(folder)) {
        line.erase(at, folder.size());
      }
      lines.push_back(std::move(line));
    }
    return lines;
  }

  common::TempFolder folder_;
};

}  // namespace kernbench::sim::structure
