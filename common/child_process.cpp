// SPDX-License-Identifier: Apache-2.0
#include "common/child_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <optional>
#include <stdexcept>
#include <system_error>

#include "common/diagnostics.hpp"
#include "common/interrupt.hpp"
#include "common/supervised_program.hpp"

namespace kernbench::common {
namespace {

/// A log file that is open while a program writes to it.
class ProgramLog {
 public:
  explicit ProgramLog(const std::filesystem::path& path) {
    if (path.empty()) return;
    descriptor_ = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (descriptor_ >= 0) return;
    throw BadInput(fmt::format("cannot write '{}': {}", path.string(),
                               std::generic_category().message(errno)));
  }
  ~ProgramLog() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  ProgramLog(const ProgramLog&) = delete;
  ProgramLog& operator=(const ProgramLog&) = delete;
  [[nodiscard]] int descriptor() const { return descriptor_; }

 private:
  int descriptor_ = -1;
};

ProgramEnd end_of(const ProgramCall& call) {
  constexpr int kGraceMs = 500;
  constexpr int kLookMs = 50;  // the signal may arrive in another thread
  const ProgramLog log(call.log);
  SupervisedProgram program(call.words, call.folder, call.environment,
                            {.out = log.descriptor(), .error = log.descriptor()},
                            {.grace_ms = kGraceMs, .leaves_background = false});
  for (bool asked = false; !program.has_ended(kLookMs);) {
    if (asked || !interrupted()) continue;
    program.end();
    asked = true;
  }
  return program.wait();
}

}  // namespace

ChildEnd run_program(const ProgramCall& call) {
  std::optional<ProgramEnd> end;
  {
    const InterruptGuard guard;
    if (!interrupted()) end = end_of(call);
  }
  if (!end || interrupted()) throw Interrupted();
  if (!end->not_started.empty()) {
    throw std::runtime_error(fmt::format("cannot run '{}': {}", call.words[0], end->not_started));
  }
  return {end->exit_code, end->signal};
}

}  // namespace kernbench::common
