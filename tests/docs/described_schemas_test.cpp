// SPDX-License-Identifier: Apache-2.0
#include "docs/generator/described_schemas.hpp"

#include <gtest/gtest.h>

#include <string>

#include "common/text_file.hpp"
#include "tests/places.hpp"

namespace kernbench::docs {
namespace {

TEST(DescribedSchemas, AreTheCommittedFiles) {
  ASSERT_FALSE(described_schemas().empty());
  for (const DescribedSchema& schema : described_schemas()) {
    const std::string name = "schemas/" + schema.name;
    EXPECT_EQ(common::read_text_file(places::source("/" + name)), schema.text)
        << "the description of the format has changed; regenerate the file with\n"
           "  make docs && cp build/docs/"
        << name << " " << name;
  }
}

}  // namespace
}  // namespace kernbench::docs
