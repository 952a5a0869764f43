// SPDX-License-Identifier: Apache-2.0
#include "common/shell_quote.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace kernbench::common {
namespace {

/// Returns the output of a shell command.
std::string output_of(const std::string& command) {
  struct Close {
    void operator()(FILE* pipe) const { pclose(pipe); }
  };
  const std::unique_ptr<FILE, Close> pipe(popen(command.c_str(), "r"));  // NOLINT(cert-env33-c)
  std::array<char, 256> buffer{};
  const std::size_t size = std::fread(buffer.data(), 1, buffer.size(), pipe.get());
  return {buffer.data(), size};
}

TEST(ShellQuote, LeavesPlainWordsUnquoted) {
  for (const char* word : {"cosim", "--seed", "17", "configs/a-b_c.yaml", "bytes=512", "0.05,0.1",
                           "100:200", "user@host", "50%"}) {
    EXPECT_EQ(shell_quote(word), word);
  }
}

TEST(ShellQuote, QuotesWordsWithSpecialCharacters) {
  EXPECT_EQ(shell_quote(""), "''");
  EXPECT_EQ(shell_quote("my topology.yaml"), "'my topology.yaml'");
  EXPECT_EQ(shell_quote("Mesh2D(4,4)"), "'Mesh2D(4,4)'");
  EXPECT_EQ(shell_quote("it's"), "'it'\\''s'");
}

TEST(ShellQuote, WritesWordsThatAreNotUtf8InAscii) {
  EXPECT_EQ(shell_quote("caf\xe9/a b.json"), "\"$(printf 'caf\\351/a\\040b.json')\"");
}

TEST(ShellWords, AreThoseThatWereQuoted) {
  const std::vector<std::string> words{"run", "", "a b", "it's", "x=1", "\"$`", "a\nb", "\\"};
  std::string line;
  for (const std::string& word : words) line += " " + shell_quote(word);
  EXPECT_EQ(shell_words(line), words);
}

TEST(ShellWords, RefuseWhatAShellWouldChange) {
  for (const char* line : {"a 'b", "\"$(printf 'a')\"", "a $HOME", "`id`", "a\\"}) {
    EXPECT_THROW((void)shell_words(line), std::invalid_argument) << line;
  }
}

TEST(ShellQuote, TheShellReadsTheSameWord) {
  for (const char* word : {"",
                           " ",
                           "a b",
                           "a\tb\nc",
                           "'",
                           "''",
                           "\"",
                           "\\",
                           "$HOME",
                           "`id`",
                           "*",
                           "~",
                           "#x",
                           "a;b",
                           "a&b",
                           "a|b",
                           "<>",
                           "{a,b}",
                           "[ab]",
                           "!",
                           "?",
                           "^",
                           "caf\xc3\xa9",
                           "-n",
                           "caf\xe9",
                           "-\xff'\"$%\\n",
                           "\xc3",
                           "a b\xe9\n"}) {
    EXPECT_EQ(output_of("printf '[%s]' " + shell_quote(word)), "[" + std::string(word) + "]");
  }
}

}  // namespace
}  // namespace kernbench::common
