// SPDX-License-Identifier: Apache-2.0
// Looks up benches and parameters by user input.
#include "model/bench/registry.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

namespace kernbench::model::bench {
namespace {

std::string refusal_of(const std::function<void()>& act) {
  try {
    act();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  ADD_FAILURE() << "no exception was thrown";
  return {};
}

TEST(Registry, ListsBenchesByNameAndFindsThemByNameOrIndex) {
  const std::vector<Bench>& all = benches();
  EXPECT_TRUE(std::is_sorted(all.begin(), all.end(),
                             [](const Bench& a, const Bench& b) { return a.name < b.name; }));
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(&find_bench(all[i].name), &all[i]);
    EXPECT_EQ(&find_bench(std::to_string(i)), &all[i]);
  }
}

TEST(Registry, SuggestsTheNearestName) {
  EXPECT_EQ(refusal_of([] { (void)find_bench("sotfmax"); }),
            "unknown bench 'sotfmax'; did you mean 'softmax'?");
  EXPECT_EQ(refusal_of([] { (void)find_bench("zzzzzzzz"); }),
            "unknown bench 'zzzzzzzz'; `kernbench list` shows all");
  EXPECT_EQ(refusal_of([] { (void)find_bench(std::to_string(benches().size())); }),
            "unknown bench " + std::to_string(benches().size()) + "; benches are numbered 0 to " +
                std::to_string(benches().size() - 1));
}

TEST(Registry, NamesEveryWrongParameter) {
  const Bench bench{"b", "", {{"rows", "4", ""}, {"type", "f16", ""}}, nullptr};
  EXPECT_EQ(resolve_parameters(bench, {{"rows", "9"}}),
            (ParameterValues{{"cubes", "auto"}, {"pes", "auto"}, {"rows", "9"}, {"type", "f16"}}));
  EXPECT_EQ(
      refusal_of([&] {
        (void)resolve_parameters(bench, {{"row", "1"}, {"rows", "-1"}});
      }),
      "bench 'b' has no parameter 'row'; it has rows, type, cubes, pes; did you mean 'rows'?\n"
      "parameter 'rows' must be a whole number such as 4, not '-1'");
}

}  // namespace
}  // namespace kernbench::model::bench
