// SPDX-License-Identifier: Apache-2.0
#include "model/engine/errors.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <iterator>
#include <utility>

namespace kernbench::model::engine {
namespace {

constexpr std::size_t kListed = 20;

std::string deadlock_text(common::SimTime at, const std::vector<WaitingProcess>& waiting) {
  fmt::memory_buffer text;
  fmt::format_to(std::back_inserter(text), "deadlock at {} ps: nothing is scheduled, and {} wait",
                 at.ps(),
                 waiting.size() == 1 ? "1 process has to"
                                     : fmt::format("{} processes have to", waiting.size()));
  for (std::size_t i = 0; i < waiting.size() && i < kListed; ++i) {
    fmt::format_to(std::back_inserter(text), "\n  {}'{}' waits for {}",
                   waiting[i].is_service ? "service " : "", waiting[i].process,
                   waiting[i].waits_for);
  }
  if (waiting.size() > kListed) {
    fmt::format_to(std::back_inserter(text), "\n  and {} more", waiting.size() - kListed);
  }
  return fmt::to_string(text);
}

}  // namespace

ProcessError::ProcessError(const std::string& process, common::SimTime at,
                           const std::string& reason)
    : std::runtime_error(fmt::format("process '{}' failed at {} ps: {}", process, at.ps(), reason)),
      process_(process) {}

Deadlock::Deadlock(common::SimTime at, std::vector<WaitingProcess> waiting)
    : std::runtime_error(deadlock_text(at, waiting)), waiting_(std::move(waiting)) {}

}  // namespace kernbench::model::engine
