// SPDX-License-Identifier: Apache-2.0
// Every broken spec in tests/bad_input/topology/ is rejected with exactly the message in its
// .expected file.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "common/text_file.hpp"
#include "tests/common/expect_bad_input.hpp"
#include "tests/places.hpp"
#include "topology/spec/spec_reader.hpp"

namespace kernbench::topology {
namespace {

namespace fs = std::filesystem;

const fs::path kFolder = places::source("/tests/bad_input/topology");

/// Returns the names of all files with this extension, without the extension.
std::vector<std::string> names_of(const std::string& extension) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(kFolder)) {
    if (entry.path().extension() == extension) names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

class BadSpec : public testing::TestWithParam<std::string> {};

TEST_P(BadSpec, IsRefusedWithTheMessageBesideIt) {
  const fs::path spec = kFolder / (GetParam() + ".yaml");
  std::string message = common::bad_input_of([&] { (void)load_topology_spec(spec); }) + "\n";
  const std::string path = kFolder.string() + "/";
  for (std::size_t at = message.find(path); at != std::string::npos; at = message.find(path, at)) {
    message.erase(at, path.size());
  }
  EXPECT_EQ(message, common::read_text_file(kFolder / (GetParam() + ".expected")));
}

INSTANTIATE_TEST_SUITE_P(Corpus, BadSpec, testing::ValuesIn(names_of(".yaml")),
                         [](const auto& one) { return one.param; });

TEST(BadSpecCorpus, HasAtLeast60SpecsEachWithItsMessage) {
  EXPECT_GE(names_of(".yaml").size(), 60U);
  EXPECT_EQ(names_of(".yaml"), names_of(".expected"));
  for (const auto& entry : fs::directory_iterator(kFolder)) {
    EXPECT_THAT(entry.path().extension().string(), testing::AnyOf(".yaml", ".expected"));
  }
}

}  // namespace
}  // namespace kernbench::topology
