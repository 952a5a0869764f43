// SPDX-License-Identifier: Apache-2.0
#include "common/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <iostream>
#include <utility>
#include <vector>

#include "common/duration_text.hpp"
#include "common/terminal.hpp"

namespace kernbench::common {
namespace {

constexpr double kShownAfter = 2.0;
constexpr double kPeriod = 0.1;
constexpr std::size_t kBarWidth = 16;

double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// The objects that show their lines on standard error.
struct OnStandardError {
  std::mutex mutex;
  std::vector<Progress*> all;  ///< the last one shows its line
  bool off = false;
};

OnStandardError& on_standard_error() {
  static OnStandardError state;
  return state;
}

}  // namespace

Progress::Progress(std::ostream& out, Describe describe, Clock clock)
    : out_(out),
      describe_(std::move(describe)),
      clock_(std::move(clock)),
      start_(clock_()),
      due_at_(start_ + kShownAfter) {}

Progress::Progress(Describe describe) : Progress(std::cerr, std::move(describe), steady_seconds) {
  if (!is_terminal(STDERR_FILENO)) return;
  OnStandardError& state = on_standard_error();
  {
    const std::scoped_lock lock(state.mutex);
    if (!state.all.empty()) state.all.back()->hide();
    state.all.push_back(this);
  }
  // The thread inherits the mask, so that signals interrupt the threads of the run as before.
  sigset_t all{};
  sigset_t before{};
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  thread_ = std::jthread([this](const std::stop_token& stop) { keep_refreshing(stop); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

Progress::~Progress() {
  if (thread_.joinable()) {
    thread_.request_stop();
    thread_.join();
    OnStandardError& state = on_standard_error();
    const std::scoped_lock lock(state.mutex);
    std::erase(state.all, this);
  }
  hide();
}

void Progress::keep_refreshing(const std::stop_token& stop) {
  constexpr auto kPause = std::chrono::duration<double>(kPeriod);
  OnStandardError& state = on_standard_error();
  while (!stop.stop_requested()) {
    {
      const std::scoped_lock lock(state.mutex);
      if (!state.off && state.all.back() == this) refresh();
    }
    std::unique_lock lock(mutex_);
    stopping_.wait_for(lock, stop, kPause, [] { return false; });
  }
}

void Progress::refresh() {
  const std::scoped_lock lock(mutex_);
  const double now = clock_();
  if (now < due_at_) return;
  due_at_ = now + kPeriod;
  visible_ = true;
  // Disable auto-wrap: a line wider than the terminal is cut and can still be rewritten.
  out_ << "\r\x1b[K\x1b[?7l" << line(now - start_) << "\x1b[?7h" << std::flush;
}

void Progress::hide() {
  const std::scoped_lock lock(mutex_);
  if (!visible_) return;
  out_ << "\r\x1b[K" << std::flush;
  visible_ = false;
  due_at_ = clock_() + kPeriod;
}

std::string Progress::line(double elapsed) const {
  const ProgressState state = describe_();
  if (!state.share) return fmt::format("{}, {}", state.text, duration_text(elapsed));
  const double share = std::clamp(*state.share, 0.0, 1.0);
  const auto full = static_cast<std::size_t>(share * kBarWidth);
  const std::string time = share > 0.0 && share < 1.0
                               ? duration_text(elapsed * (1.0 - share) / share) + " left"
                               : duration_text(elapsed);
  return fmt::format("[{}{}] {}, {}", std::string(full, '#'), std::string(kBarWidth - full, '.'),
                     time, state.text);
}

void Progress::make_room() {
  OnStandardError& state = on_standard_error();
  const std::scoped_lock lock(state.mutex);
  if (!state.all.empty()) state.all.back()->hide();
}

void Progress::turn_off() {
  OnStandardError& state = on_standard_error();
  const std::scoped_lock lock(state.mutex);
  if (!state.all.empty()) state.all.back()->hide();
  state.off = true;
}

StepProgress::StepProgress(std::string steps, std::size_t total)
    : steps_(std::move(steps)), total_(total), progress_([this] {
        const std::size_t done = done_;
        return ProgressState{
            total_ == 0 ? 1.0 : static_cast<double>(done) / static_cast<double>(total_),
            fmt::format("{}/{} {}", done, total_, steps_)};
      }) {}

}  // namespace kernbench::common
