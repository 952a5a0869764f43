// SPDX-License-Identifier: Apache-2.0
#include "sim/report/progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "sim/report/number_text.hpp"

namespace kernbench::sim {
namespace {

constexpr double kTerminalPeriod = 0.1;
constexpr double kLogPeriod = 10.0;
constexpr std::size_t kBarWidth = 16;

double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

Progress::Progress(std::ostream& out, bool terminal, ProgressGoal goal)
    : Progress(out, terminal, goal, steady_seconds) {}

Progress::Progress(std::ostream& out, bool terminal, ProgressGoal goal, Clock clock)
    : out_(out),
      terminal_(terminal),
      goal_(goal),
      clock_(std::move(clock)),
      start_(clock_()),
      shown_at_(start_) {}

Progress::~Progress() {
  clear();
}

void Progress::add_cycles(std::uint64_t cycles) {
  const std::scoped_lock lock(mutex_);
  cycles_ += cycles;
  show_if_due();
}

void Progress::case_done(bool passed, std::uint64_t packets) {
  const std::scoped_lock lock(mutex_);
  ++cases_;
  packets_ += packets;
  if (!passed) ++failed_;
  show_if_due();
}

void Progress::note(const std::string& text) {
  const std::scoped_lock lock(mutex_);
  const bool was_visible = line_visible_;
  clear();
  out_ << text << '\n';
  if (was_visible) {
    show();
  } else {
    out_.flush();
  }
}

void Progress::show_if_due() {
  if (clock_() - shown_at_ >= (terminal_ ? kTerminalPeriod : kLogPeriod)) show();
}

void Progress::show() {
  shown_at_ = clock_();
  if (terminal_) {
    // Disable auto-wrap: a line wider than the terminal is cut and can still be rewritten.
    out_ << "\r\x1b[K\x1b[?7l" << line(shown_at_) << "\x1b[?7h";
    line_visible_ = true;
  } else {
    out_ << line(shown_at_) << '\n';
  }
  out_.flush();
}

void Progress::clear() {
  if (!line_visible_) return;
  out_ << "\r\x1b[K";
  out_.flush();
  line_visible_ = false;
}

double Progress::share_done() const {
  const auto ratio = [](auto part, auto whole) {
    return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
  };
  if (goal_.cycles == 0) return std::min(1.0, ratio(cases_, goal_.cases));
  // The planned cycles do not include draining: only the number of cases shows that all are done.
  return cases_ >= goal_.cases ? 1.0 : std::min(0.99, ratio(cycles_, goal_.cycles));
}

std::string Progress::line(double now) const {
  const double share = share_done();
  const auto full = static_cast<std::size_t>(share * kBarWidth);
  std::string text = fmt::format("[{}{}] {}/{} cases", std::string(full, '#'),
                                 std::string(kBarWidth - full, '.'), cases_, goal_.cases);
  if (failed_ != 0) text += fmt::format(", {} failed", failed_);
  if (share > 0.0 && share < 1.0) {
    text += ", " + duration_text((now - start_) * (1.0 - share) / share) + " left";
  }
  text += fmt::format(", {} packets, {} cycles", short_count(packets_), short_count(cycles_));
  return text;
}

}  // namespace kernbench::sim
