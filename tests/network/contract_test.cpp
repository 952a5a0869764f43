// SPDX-License-Identifier: Apache-2.0
// The waveforms of docs/developer/maze-network.md are those of the RTL.
#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "common/text_file.hpp"
#include "docs/generator/network_recorder.hpp"
#include "sim/dut/dut_library.hpp"
#include "tests/places.hpp"

namespace kernbench::network_test {
namespace {

/// Returns the text as a block of the page.
std::string indented(const std::string& text) {
  std::istringstream lines(text);
  std::string block;
  for (std::string line; std::getline(lines, line);) block += "    " + line + "\n";
  return block;
}

TEST(NetworkContract, ShowsTheWaveformsOfTheRtl) {
  const sim::NetworkLibrary library(std::string(places::kNetworkModels) +
                                    "/4x3/libnetwork_model.so");
  const std::string page =
      common::read_text_file(places::source("/docs/developer/maze-network.md"));
  for (const docs::NetworkScenario& scenario : docs::network_scenarios()) {
    const std::string block = indented(docs::network_waveform(*library.create(1), scenario));
    EXPECT_NE(page.find(block), std::string::npos)
        << "docs/developer/maze-network.md lacks the waveform '" << scenario.name << "':\n\n"
        << block;
  }
}

}  // namespace
}  // namespace kernbench::network_test
