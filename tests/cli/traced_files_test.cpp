// SPDX-License-Identifier: Apache-2.0
// Runs commands of the pages and of the help under strace: they read and write what their options
// declare, and nothing else.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "all_commands.hpp"
#include "cli/line/files.hpp"
#include "common/atomic_file.hpp"
#include "common/text_file.hpp"
#include "process.hpp"
#include "tests/common/temp_folder.hpp"
#include "tests/places.hpp"

namespace kernbench::cli {
namespace {

namespace fs = std::filesystem;
using ::testing::IsEmpty;

/// Commands that this test does not run, and why.
const std::vector<std::pair<std::string, std::string>> kLeftOut = {
    {R"(kernbench (sim|topology prove|cosim(?! --fabric cycle)|model|sweep (?!show)|web|job|doctor)\b.*)",
     "builds a model, needs files of a reader, runs on or runs other tools"},
    {R"(kernbench (replay|coverage|sweep|bisect|shrink|compare|rerun)\b.*)",
     "needs files that other commands write"},
    {R"(.*(--figures|--parameters|plugin|[<>|\[]|B --export).*)",
     "needs files of a reader, or a shell"},
    {R"(kernbench (evaluate gemm|serve|structure)\b.*)", "takes minutes, or builds a model"},
    {R"(.*(llama-7b|queries=8192|n=4096|--tornado|--what-if|--spread).*)", "takes minutes"},
};

/// Files that commands read without an option that names them, and why.
const std::vector<std::pair<std::string, std::string>> kReadToo = {
    {R"(/(usr|lib|lib64|etc|proc|sys|dev)(/.*)?)", "the system and its libraries"},
    {R"(.*/python/kernbench/.*)", "the package of Python, which a file in Python needs"},
    {R"(.*/cli/kernbench)", "the program, whose folder is looked at"},
    {R"(.*\.cube_mesh\.yaml)", "the mesh of a topology, which is kept beside it"},
    {R"(.*/configs/(ccl|models/tiny)\.yaml)", "defaults of parameters of benches"},
    {R"(.*/rtl/(noc/)?\w+\.sv)", "the RTL of nodes, which the folder of a network gets"},
};

/// Files that commands write without an option that names them, and why.
const std::vector<std::pair<std::string, std::string>> kWrittenToo = {
    {R"(/dev/.*)", "devices"},
    {R"(.*\.cube_mesh\.yaml)", "the mesh of a topology, which is kept beside it"},
};

bool is_among(const std::vector<std::pair<std::string, std::string>>& forms,
              const std::string& text) {
  return std::any_of(forms.begin(), forms.end(), [&](const auto& form) {
    return std::regex_match(text, std::regex(form.first));
  });
}

/// Returns the words of a line of a shell.
Words words_of(const std::string& line) {
  Words words(1);
  bool quoted = false;
  for (const char c : line) {
    if (c == '\'') {
      quoted = !quoted;
    } else if (c == ' ' && !quoted) {
      if (!words.back().empty()) words.emplace_back();
    } else {
      words.back() += c;
    }
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

/// Returns the commands of the pages and of the footers that this test runs.
std::set<std::string> commands_to_run() {
  std::set<std::string> lines;
  const auto add = [&](const std::string& text, const std::regex& form) {
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) {
      std::smatch found;
      if (!std::regex_match(line, found, form)) continue;
      if (!is_among(kLeftOut, found[1])) lines.insert(found[1]);
    }
  };
  const std::regex in_page(R"( {4}(?:build/release/cli/)?(kernbench \S.*?) *(?: #.*)?)");
  const std::regex in_footer(R"( {2}(kernbench \S.*?)(?: {2,}.*)?)");
  for (const auto& entry : fs::directory_iterator(places::source("/docs"))) {
    if (entry.path().extension() == ".md") add(common::read_text_file(entry.path()), in_page);
  }
  add(common::read_text_file(places::source("/README.md")), in_page);
  const AllCommands program;
  for (const Command* const command : all_commands(program.program()))
    add(command->footer, in_footer);
  return lines;
}

/// The files that a process has opened, as absolute paths.
struct Opened {
  std::set<std::string> read;
  std::set<std::string> written;  ///< without those that it renamed or deleted
};

/// Reads a log of strace.
Opened opened_in(const std::string& log, const fs::path& where) {
  static const std::regex call(R"re((\d+) +(?:<\.\.\. )?(\w+)(?: resumed>)?(.*))re");
  static const std::regex quoted(R"re("((?:[^"\\]|\\.)*)")re");
  Opened opened;
  std::map<std::string, std::string> begun;  // by thread
  std::istringstream lines(log);
  for (std::string line; std::getline(lines, line);) {
    std::smatch found;
    if (!std::regex_match(line, found, call)) continue;
    const std::string thread = found[1];
    const std::string name = found[2];
    std::string rest = found[3];
    if (const std::size_t cut = rest.find(" <unfinished ...>"); cut != std::string::npos) {
      begun[thread] = rest.substr(0, cut);
      continue;
    }
    if (line.find("resumed>") != std::string::npos) rest = begun[thread] + rest;
    if (rest.rfind(" = -1 ") != std::string::npos) continue;  // it failed
    std::vector<std::string> paths;
    for (auto match = std::sregex_iterator(rest.begin(), rest.end(), quoted);
         match != std::sregex_iterator(); ++match) {
      paths.push_back((where / (*match)[1].str()).lexically_normal().string());
    }
    if (paths.empty()) continue;
    const bool writes = rest.find("O_WRONLY") != std::string::npos ||
                        rest.find("O_RDWR") != std::string::npos || name == "creat";
    if (name == "open" || name == "openat" || name == "creat") {
      if (rest.find("O_DIRECTORY") == std::string::npos)
        (writes ? opened.written : opened.read).insert(paths[0]);
    } else if (name.starts_with("rename")) {
      opened.written.erase(paths.front());
      opened.written.insert(paths.back());
    } else if (name.starts_with("link") || name.starts_with("symlink")) {
      opened.written.insert(paths.back());
    } else if (name.starts_with("unlink")) {
      opened.written.erase(paths.front());
    }
  }
  return opened;
}

/// Returns what a command reads and writes beyond its declaration.
std::vector<std::string> undeclared(const AllCommands& program, const Words& words,
                                    const Opened& opened, const fs::path& where) {
  const Command& command = *program.parsed(words);
  const auto whole = [&](const fs::path& path) {
    std::error_code missing;
    const fs::path here = (where / path).lexically_normal();
    return fs::exists(here, missing)
               ? here.string()
               : (fs::path(places::kSource) / path).lexically_normal().string();
  };
  std::set<std::string> inputs;
  for (const std::string& file : input_files_of(command)) inputs.insert(whole(file));
  std::vector<fs::path> outputs;
  for (const auto& option : command.options()) {
    if (option->path() == nullptr || option->path()->path->use == PathUse::Input) continue;
    for (const std::string& value : option->given_or_default()) {
      outputs.push_back((where / value).lexically_normal());
    }
  }
  std::vector<std::string> found;
  for (const std::string& file : opened.read) {
    if (fs::is_directory(file) || inputs.contains(file) || is_among(kReadToo, file)) continue;
    if (opened.written.contains(file)) continue;
    found.push_back("reads " + file);
  }
  for (const std::string& file : opened.written) {
    const bool is_declared =
        std::any_of(outputs.begin(), outputs.end(), [&](const fs::path& output) {
          return file == output || file.starts_with(output.string() + "/");
        });
    if (!is_declared && !is_among(kWrittenToo, file)) found.push_back("writes " + file);
  }
  return found;
}

/// Writes the first bench of the page about Python, which its commands run.
void write_bench(const fs::path& file) {
  const std::string page = common::read_text_file(places::source("/docs/python.md"));
  const std::string begin = "```python\n";
  const std::size_t bench = page.find("@kernbench.bench(\"scale\"");
  const std::size_t from = page.rfind(begin, bench) + begin.size();
  common::write_file_atomically(file, page.substr(from, page.find("```", from) - from));
}

/// Runs a line of a page under strace. Returns what is undeclared.
std::vector<std::string> trace(const AllCommands& program, const std::string& line) {
  const common::TempFolder folder;
  const fs::path where = folder.path() / "here";
  fs::create_directories(where / "build/reports");
  write_bench(where / "scale.py");
  Words words = words_of(line);
  words.erase(words.begin());
  const std::string log = (folder.path() / "log").string();
  Words traced = {"/usr/bin/strace", "-f", "-qq", "-s", "4096", "-e", "trace=%file", "-o", log,
                  places::kKernbench};
  traced.insert(traced.end(), words.begin(), words.end());
  const cli_test::Finished finished = cli_test::Process(traced, where, folder.path()).wait();
  EXPECT_TRUE(finished.exit_code == 0 || finished.exit_code == 1) << line << "\n" << finished.err;
  const Opened opened = opened_in(common::read_text_file(log, 1U << 30U), where);
  EXPECT_THAT(opened.read, ::testing::Not(IsEmpty())) << line;
  return undeclared(program, words, opened, where);
}

void expect_nothing_undeclared(std::size_t every, std::size_t first) {
  const AllCommands program;
  const std::set<std::string> lines = commands_to_run();
  EXPECT_GE(lines.size(), 50U);
  std::size_t number = 0;
  for (const std::string& line : lines) {
    if (number++ % every != first) continue;
    EXPECT_THAT(trace(program, line), IsEmpty()) << line;
  }
}

TEST(TracedFiles, OfAFewCommandsOfThePagesAreDeclared) {
  expect_nothing_undeclared(8, 3);
}

TEST(TracedFiles, OfTheCommandsOfThePagesAreDeclared) {
  expect_nothing_undeclared(1, 0);
}

TEST(TracedFiles, AFileThatNoOptionNamesIsNoticed) {
  const AllCommands program;
  const Opened opened = {{"/here/topology.yaml", "/secret.yaml"},
                         {"/here/p.json", "/here/more.json"}};
  EXPECT_THAT(
      undeclared(program, {"probe", "--topology", "/here/topology.yaml", "--json", "p.json"},
                 opened, "/here"),
      ::testing::ElementsAre("reads /secret.yaml", "writes /here/more.json"));
}

TEST(TracedFiles, AreReadFromALogOfSeveralThreads) {
  const Opened opened = opened_in(
      "1 openat(AT_FDCWD, \"a.yaml\", O_RDONLY|O_CLOEXEC) = 3\n"
      "1 openat(AT_FDCWD, \"none.yaml\", O_RDONLY) = -1 ENOENT (No such file or directory)\n"
      "2 openat(AT_FDCWD, \"b.yaml\", O_RDONLY <unfinished ...>\n"
      "1 openat(AT_FDCWD, \"/f/new.tmp\", O_WRONLY|O_CREAT, 0600) = 4\n"
      "2 <... openat resumed>) = 5\n"
      "1 rename(\"/f/new.tmp\", \"/f/new\") = 0\n"
      "1 openat(AT_FDCWD, \"/f/gone\", O_RDWR|O_CREAT, 0600) = 4\n"
      "1 unlink(\"/f/gone\") = 0\n",
      "/here");
  EXPECT_EQ(opened.read, (std::set<std::string>{"/here/a.yaml", "/here/b.yaml"}));
  EXPECT_EQ(opened.written, (std::set<std::string>{"/f/new"}));
}

}  // namespace
}  // namespace kernbench::cli
