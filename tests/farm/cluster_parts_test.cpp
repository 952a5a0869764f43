// SPDX-License-Identifier: Apache-2.0
// Parts of a command in the tasks of a cluster: which part is computed, and what is refused.
// slurm_commands_test.py runs whole commands on a cluster.
#include "farm/cluster_parts.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/fill_in_parts.hpp"
#include "common/text_file.hpp"
#include "tests/common/expect_bad_input.hpp"
#include "tests/common/temp_folder.hpp"

namespace kernbench::farm {
namespace {

using ::testing::ElementsAre;

/// Two loops: squares, and sums of a square with its neighbour. Returns the sums.
std::vector<int> sums(common::Parts* parts, std::vector<std::size_t>& computed) {
  std::vector<int> squares(3);
  common::fill_in_parts(parts, 1, squares, [&](std::size_t i) {
    computed.push_back(i);
    squares[i] = static_cast<int>(i * i);
    return true;
  });
  std::vector<int> all(2);
  common::fill_in_parts(parts, 1, all, [&](std::size_t i) {
    computed.push_back(10 + i);
    all[i] = squares[i] + squares[i + 1];
    return true;
  });
  return all;
}

TEST(OnePart, ComputesOnlyThatPartAndTakesEarlierLoopsFromTheFolder) {
  const common::TempFolder folder;
  const std::string place = ":" + folder.path().string();
  std::vector<std::size_t> computed;
  for (const char* const part : {"0.0", "0.1", "0.2", "1.1"}) {
    OnePart one(part + place);
    EXPECT_THROW((void)sums(&one, computed), common::PartComputed);
  }
  EXPECT_THAT(computed, ElementsAre(0, 1, 2, 11));
  int sum = 0;
  common::unarchive(common::read_text_file((folder.path() / "1.1.part").string()), sum);
  EXPECT_EQ(sum, 5);
  std::vector<std::size_t> here;
  EXPECT_THAT(sums(nullptr, here), ElementsAre(1, 5));
}

TEST(OnePart, RefusesOtherTextAndPartsThatAreNotThere) {
  const common::TempFolder folder;
  for (const char* const text : {"", "1", "1.2", "1.2:", "a.2:/", "1.b:/", "1.2:/no/such/folder"}) {
    EXPECT_EQ(common::bad_input_of([&] { (void)OnePart(text); }),
              "error: --part: '" + std::string(text) +
                  "' is not LOOP.NUMBER:FOLDER with a folder that exists");
  }
  OnePart one("0.3:" + folder.path().string());
  std::vector<std::size_t> computed;
  EXPECT_EQ(common::bad_input_of([&] { (void)sums(&one, computed); }),
            "error: --part: the command has 3 parts in loop 0, not 4");
  EXPECT_THAT(computed, ElementsAre());
}

TEST(OnePart, RefusesADamagedResultOfAnEarlierLoop) {
  const common::TempFolder folder;
  for (const char* const name : {"0.0.part", "0.1.part", "0.2.part"}) {
    (void)folder.write(name, "x");
  }
  OnePart one("1.0:" + folder.path().string());
  std::vector<std::size_t> computed;
  EXPECT_THAT(common::bad_input_of([&] { (void)sums(&one, computed); }),
              ::testing::StartsWith("error: a result of a part is damaged: "));
}

}  // namespace
}  // namespace kernbench::farm
