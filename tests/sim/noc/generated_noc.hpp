// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include "common/text_file.hpp"
#include "reference_noc.hpp"
#include "sim/build/model_builder.hpp"
#include "tests/common/temp_folder.hpp"
#include "tests/places.hpp"
#include "topology/rtl/noc_sources.hpp"

namespace kernbench::sim {

/// The generated RTL of a network, to break.
class GeneratedNoc : public ::testing::Test {
 protected:
  void generate(const std::string& topology, const topology::NocOptions& options = {.slots = 4}) {
    device_.emplace(topology,
                    noc::Sizes{.lanes = options.lanes, .slots = options.slots, .flit_bits = 40},
                    options.stages);
    topology::NocOptions wide = options;
    wide.flit_bits = 40;
    const auto files = topology::noc_files(topology::plan_noc(*device_->relation, wide),
                                           topology::noc_rtl(places::source("/rtl")), "");
    topology::write_generated_folder(rtl(), files);
  }

  [[nodiscard]] std::filesystem::path rtl() const { return folder_.path() / "rtl"; }

  /// Replaces the first such text of a file.
  void edit(const std::string& file, const std::string& old_text, const std::string& new_text) {
    std::string text = common::read_text_file(rtl() / file);
    const auto at = text.find(old_text);
    ASSERT_NE(at, std::string::npos) << file << " has no '" << old_text << "': adapt this test";
    text.replace(at, old_text.size(), new_text);
    std::ofstream(rtl() / file) << text;
  }

  /// Elaborates the RTL. Returns the folder that has the dump.
  std::string elaborate() {
    const noc::Network& network = device_->device->network;
    std::string out = (folder_.path() / "out").string();
    BuildSettings settings;
    settings.device = Device::Noc;
    settings.nodes = network.nodes();
    settings.channels = static_cast<unsigned>(network.channels().size());
    settings.vcs = network.sizes().vcs();
    settings.flit_bits = network.sizes().flit_bits;
    RtlRequest request;
    request.filelist = (rtl() / "noc_top.f").string();
    settings.rtl = find_rtl(request, places::source("/rtl/topo.f"));
    (void)ModelBuilder(places::kSource, out, settings, "the dump").elaborate();
    return out;
  }
  [[nodiscard]] const NocDevice& device() const { return *device_->device; }

 private:
  common::TempFolder folder_;
  std::optional<ZooDevice> device_;
};

}  // namespace kernbench::sim
