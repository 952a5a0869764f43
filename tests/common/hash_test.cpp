// SPDX-License-Identifier: Apache-2.0
#include "common/hash.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <initializer_list>
#include <set>

namespace kernbench::common {
namespace {

std::uint64_t run_hash(std::initializer_list<std::uint64_t> words) {
  RunHash hash;
  for (const std::uint64_t word : words) hash.add(word);
  return hash.value();
}

TEST(ByteHash, IsFnv1a) {
  EXPECT_EQ(hash_bytes(""), 0xcbf29ce484222325U);
  EXPECT_EQ(hash_bytes("a"), 0xaf63dc4c8601ec8cU);
  EXPECT_EQ(hash_bytes("foobar"), 0x85944171f73967e8U);
}

TEST(ByteHash, IsTheSameInPieces) {
  ByteHash pieces;
  pieces.add("foo");
  pieces.add("bar");
  EXPECT_EQ(pieces.value(), hash_bytes("foobar"));
}

TEST(RunHash, KeepsItsValueForEver) {
  EXPECT_EQ(run_hash({}), 5272463233947570727U);
  EXPECT_EQ(run_hash({1, 2, 3}), 470128372926482046U);
}

TEST(RunHash, TellsValuesOrderAndNumberApart) {
  const std::set<std::uint64_t> values = {run_hash({}),         run_hash({0}),
                                          run_hash({0, 0}),     run_hash({1, 2}),
                                          run_hash({2, 1}),     run_hash({1, 2, 0}),
                                          run_hash({1U << 31}), run_hash({std::uint64_t{1} << 63})};
  EXPECT_EQ(values.size(), 8U);
}

TEST(Hex64, WritesSixteenDigits) {
  EXPECT_EQ(hex64(0), "0000000000000000");
  EXPECT_EQ(hex64(0xfeedc0de12345678U), "feedc0de12345678");
}

}  // namespace
}  // namespace kernbench::common
