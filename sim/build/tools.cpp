// SPDX-License-Identifier: Apache-2.0
#include "sim/build/tools.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <functional>
#include <map>
#include <mutex>
#include <sstream>
#include <stdexcept>
#include <system_error>

#include "common/diagnostics.hpp"

namespace kernbench::sim {
namespace {

using common::BadInput;

/// A file in memory that another process can open by its path.
class MemoryFile {
 public:
  MemoryFile() : descriptor_(memfd_create("output", MFD_CLOEXEC)) {
    if (descriptor_ < 0) throw std::system_error(errno, std::generic_category());
  }
  ~MemoryFile() { close(descriptor_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  [[nodiscard]] std::string path() const {
    return fmt::format("/proc/{}/fd/{}", getpid(), descriptor_);
  }
  [[nodiscard]] std::string text() const {
    std::string text;
    std::array<char, 4096> buffer{};
    for (off_t at = 0;;) {
      const ssize_t count = pread(descriptor_, buffer.data(), buffer.size(), at);
      if (count <= 0) return text;
      text.append(buffer.data(), static_cast<std::size_t>(count));
      at += count;
    }
  }

 private:
  int descriptor_;
};

/// Remembers what tools have answered in this process. Callable from any thread.
template <typename Answer>
class Answers {
 public:
  /// Returns what `ask` returned for this tool. Keeps nothing if it throws.
  const Answer& of(const std::string& tool, const std::function<Answer()>& ask) {
    const std::scoped_lock lock(mutex_);
    const auto found = known_.find(tool);
    return found != known_.end() ? found->second : known_.emplace(tool, ask()).first->second;
  }

 private:
  std::mutex mutex_;
  std::map<std::string, Answer> known_;
};

}  // namespace

common::ProgramCall tool_call(std::vector<std::string> words) {
  common::ProgramCall call;
  call.words = std::move(words);
  call.environment = {{"LC_ALL", "C.UTF-8"}};
  for (const char* variable :
       {"MAKEFLAGS", "MFLAGS", "MAKEFILES", "MAKELEVEL", "MAKEOVERRIDES", "CFLAGS", "CXXFLAGS",
        "CPPFLAGS", "LDFLAGS", "LDLIBS", "USER_CPPFLAGS", "USER_LDFLAGS", "USER_LDLIBS", "OPT"}) {
    call.environment.emplace_back(variable, "");
  }
  return call;
}

std::vector<std::string> tool_words(const std::string& tool) {
  std::vector<std::string> words;
  std::istringstream text(tool);
  for (std::string word; text >> word;) words.push_back(word);
  return words;
}

std::string tool_output(std::vector<std::string> words) {
  const std::string name = words.front();
  const MemoryFile output;
  common::ProgramCall call = tool_call(std::move(words));
  call.log = output.path();
  common::ChildEnd end;
  try {
    end = common::run_program(call);
  } catch (const std::runtime_error& error) {
    throw BadInput(fmt::format("{}; {}", error.what(), kToolsNeeded));
  }
  std::string text = output.text();
  while (!text.empty() && text.back() == '\n') text.pop_back();
  if (end.exit_code != 0) {
    throw BadInput(fmt::format("'{}' fails: {}", fmt::join(call.words, " "), text));
  }
  return text;
}

const std::string& tool_version(const std::string& tool) {
  static Answers<std::string> known;
  return known.of(tool, [&] {
    std::vector<std::string> words = tool_words(tool);
    words.emplace_back("--version");
    return tool_output(std::move(words));
  });
}

bool tool_knows(const std::string& tool, const std::string& option) {
  static Answers<bool> known;
  return known.of(fmt::format("{} {}", tool, option), [&] {
    std::vector<std::string> words = tool_words(tool);
    words.insert(words.end(), {option, "--version"});
    return common::run_program(tool_call(std::move(words))).exit_code == 0;
  });
}

bool has_tool(const std::string& name) {
  const char* folders = std::getenv("PATH");  // NOLINT(concurrency-mt-unsafe): nothing sets it
  std::istringstream path(folders == nullptr ? "" : folders);
  for (std::string folder; std::getline(path, folder, ':');) {
    if (access(fmt::format("{}/{}", folder, name).c_str(), X_OK) == 0) return true;
  }
  return false;
}

}  // namespace kernbench::sim
