// SPDX-License-Identifier: Apache-2.0
// Reports of the RTL of a model: Verilator's hooks for $finish, $stop, errors, warnings and text.
// Part of the one adapter of a model library, whose symbols are hidden.
#pragma once

#include <verilated.h>

#include <algorithm>
#include <array>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/dut/rtl_output.hpp"

namespace kernbench::sim {

/// Collects what the RTL of one model reports while it is evaluated.
///
/// Flops start with random bits. So what the RTL reports in the first evaluation counts only in its
/// initial blocks, and errors count again once the first reset has been released. The text is kept
/// always.
class RtlMessages {
 public:
  /// Evaluates the model with the hooks leading here. Does nothing after an error of the
  /// simulation.
  template <class Evaluate>
  void evaluate(VerilatedContext& context, std::uint64_t cycle, Evaluate&& evaluate) {
    if (is_broken_) return;
    cycle_ = cycle;
    Verilated::threadContextp(&context);
    RtlMessages* const outer = std::exchange(current(), this);
    try {
      evaluate();
    } catch (const Broken&) {
      is_broken_ = true;
    }
    current() = outer;
  }

  /// Marks the first evaluation: `settling` returns true once its initial blocks have been
  /// executed.
  void begin_start(bool (*settling)(const void*), const void* model) {
    settling_ = settling;
    model_ = model;
  }
  void end_start() { settling_ = nullptr; }
  /// Tells the value of reset that the next evaluation sees.
  void reset(bool asserted) {
    if (asserted == in_reset_) return;
    in_reset_ = asserted;
    if (!asserted) is_judged_ = true;
  }

  [[nodiscard]] std::vector<RtlEvent> take_events() { return std::exchange(events_, {}); }
  [[nodiscard]] const RtlText& text() const { return text_; }

  void print(std::string text) {
    const std::size_t room = RtlText::kLimit - text_.text.size();
    text_.text.append(text, 0, room);
    text_.left_out += text.size() - std::min(room, text.size());
    last_ = std::move(text);
  }
  void finish(const char* file, int line) { add(RtlEventKind::Finish, file, line, {}, {}); }
  /// Handles `$stop`, and an error whose text has just been printed.
  void stop(const char* file, int line);
  /// Handles an error of the simulation, which ends the evaluation.
  [[noreturn]] void broken(const char* file, int line, const char* message) {
    add(RtlEventKind::Broken, file, line, {}, message);
    throw Broken{};
  }

  /// The messages of the model that this thread evaluates, or null.
  static RtlMessages*& current() {
    static thread_local RtlMessages* messages = nullptr;
    return messages;
  }

 private:
  struct Broken {};
  static constexpr std::size_t kMostEvents = 1024;

  void add(RtlEventKind kind, const char* file, int line, std::string scope, std::string message) {
    const bool is_error = kind == RtlEventKind::Error || kind == RtlEventKind::Unique;
    if (kind == RtlEventKind::Broken) {
      // Counts always.
    } else if (settling_ != nullptr) {
      if (settling_(model_)) return;
    } else if (is_error && !is_judged_) {
      return;
    }
    if (events_.size() >= kMostEvents && kind != RtlEventKind::Broken) return;
    events_.push_back({kind, cycle_, file == nullptr ? "" : file, static_cast<unsigned>(line),
                       std::move(scope), std::move(message)});
  }

  std::vector<RtlEvent> events_;
  RtlText text_;
  std::string last_;  ///< text of the last print
  std::uint64_t cycle_ = 0;
  bool (*settling_)(const void*) = nullptr;  ///< set in the first evaluation
  const void* model_ = nullptr;
  bool in_reset_ = false;
  bool is_judged_ = false;  ///< the first reset has been released
  bool is_broken_ = false;
};

/// Verilator's message for a violated `unique` or `priority`.
inline bool is_unique_message(std::string_view message) {
  constexpr std::array<std::string_view, 4> kBegins = {"synthesis ", "unique case, but ",
                                                       "unique0 case, but ", "priority case, but "};
  for (const std::string_view begin : kBegins) {
    if (message.starts_with(begin)) return true;
  }
  return message.ends_with("if' statement violated");
}

inline void RtlMessages::stop(const char* file, int line) {
  // "[12] %Error: irs_n.sv:7: Assertion failed in top.u_irs.label: text"
  const std::string_view path = file;  // the text has its last part
  const std::string place = std::string(": ").append(path.substr(path.rfind('/') + 1)) + ":" +
                            std::to_string(line) + ": ";
  const std::string text = std::exchange(last_, {});
  const auto severity = text.find("] %");
  if (severity == std::string::npos || text.find(place, severity) == std::string::npos ||
      text.substr(severity, 10).find("Warning") != std::string::npos) {
    return add(RtlEventKind::Stop, file, line, {}, {});
  }
  std::string message = text.substr(text.find(place, severity) + place.size());
  while (!message.empty() && message.back() == '\n') message.pop_back();
  std::string scope;
  constexpr std::string_view kFailedIn = "Assertion failed in ";
  if (message.starts_with(kFailedIn)) {
    const auto colon = message.find(": ", kFailedIn.size());
    scope = message.substr(kFailedIn.size(), colon - kFailedIn.size());
    message = colon == std::string::npos ? "" : message.substr(colon + 2);
  }
  const auto kind = is_unique_message(message) ? RtlEventKind::Unique : RtlEventKind::Error;
  add(kind, file, line, std::move(scope), std::move(message));
}

/// Returns true once the first evaluation of a verilated top has executed the initial blocks.
/// `Root` is the class of its signals: its trigger of the settling region is set afterwards.
template <class Root>
bool is_settling(const void* root) {
  const auto& trigger = static_cast<const Root*>(root)->__VstlTriggered;
  std::array<char, sizeof(trigger)> bytes;
  std::memcpy(bytes.data(), static_cast<const void*>(&trigger), bytes.size());
  for (const char byte : bytes) {
    if (byte != 0) return true;
  }
  return false;
}

}  // namespace kernbench::sim

// Without a current model these are called by nothing that counts: a destructor.
using kernbench::sim::RtlMessages;

void vl_finish(const char* file, int line, const char* /*scope*/) {
  if (RtlMessages* const messages = RtlMessages::current()) messages->finish(file, line);
}
void vl_stop(const char* file, int line, const char* /*scope*/) {
  if (RtlMessages* const messages = RtlMessages::current()) messages->stop(file, line);
}
void vl_fatal(const char* file, int line, const char* /*scope*/, const char* message) {
  if (RtlMessages* const messages = RtlMessages::current()) messages->broken(file, line, message);
}
void vl_warn(const char* file, int line, const char* /*scope*/, const char* message) {
  RtlMessages* const messages = RtlMessages::current();
  if (messages == nullptr) return;
  messages->print(std::string("%Warning: ") + file + ":" + std::to_string(line) + ": " + message +
                  "\n");
}
extern "C" int kernbench_rtl_print(const char* format, ...) {
  RtlMessages* const messages = RtlMessages::current();
  if (messages == nullptr) return 0;
  std::va_list arguments;
  va_start(arguments, format);
  std::va_list again;
  va_copy(again, arguments);
  const int size = std::vsnprintf(nullptr, 0, format, arguments);
  va_end(arguments);
  std::string text(size > 0 ? static_cast<std::size_t>(size) : 0, '\0');
  if (size > 0) std::vsnprintf(text.data(), text.size() + 1, format, again);
  va_end(again);
  messages->print(std::move(text));
  return size;
}
