// SPDX-License-Identifier: Apache-2.0
#include "model/kernel/operations.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "tests/model/kernel/kernel_fixture.hpp"
#include "tests/places.hpp"

namespace kernbench::model::kernel {
namespace {

/// Returns the texts of all operations, in the order of the list.
std::vector<OperationText> texts() {
  return std::apply([](const auto&... one) { return std::vector{one.text...}; }, kOperations);
}

std::string parameters_of(const OperationText& text) {
  std::string all;
  for (const std::string_view parameter : text.parameters) {
    if (parameter.empty()) continue;
    all += fmt::format("{}{}", all.empty() ? "" : ", ", parameter);
  }
  return text.name.ends_with("composite") ? all + ", options" : all;
}

/// Returns the table of the operations in docs/kernels.md.
std::string table() {
  std::string rows = "| | |\n|---|---|\n";
  for (const OperationText& text : texts()) {
    rows += fmt::format("| `{}({})` | {} |\n", text.name, parameters_of(text), text.help);
  }
  return rows;
}

std::string page() {
  std::ifstream file(places::source("/docs/kernels.md"));
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(Operations, AreTheTableOfThePage) {
  EXPECT_NE(page().find(table()), std::string::npos) << "docs/kernels.md needs this table:\n"
                                                     << table();
}

TEST(Operations, HaveEachNameOnce) {
  std::vector<std::string_view> names;
  for (const OperationText& text : texts()) {
    EXPECT_EQ(std::count(names.begin(), names.end(), text.name), 0) << text.name;
    EXPECT_FALSE(text.help.empty()) << text.name;
    names.push_back(text.name);
  }
  EXPECT_EQ(names.size(), 53U);
}

}  // namespace
}  // namespace kernbench::model::kernel
