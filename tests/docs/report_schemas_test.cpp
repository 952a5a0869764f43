// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "common/text_file.hpp"
#include "docs/generator/report_schemas.hpp"
#include "tests/places.hpp"

namespace kernbench::docs {
namespace {

TEST(ReportSchemas, AreTheCommittedFiles) {
  ASSERT_FALSE(report_schemas().empty());
  for (const ReportSchema& schema : report_schemas()) {
    const std::string name = fmt::format("schemas/reports/{}.schema.json", schema.kind);
    EXPECT_EQ(common::read_text_file(places::source("/" + name)), schema.text)
        << "the description of the report has changed; regenerate the file with\n"
           "  make docs && cp build/docs/"
        << name << " schemas/reports/";
  }
}

}  // namespace
}  // namespace kernbench::docs
