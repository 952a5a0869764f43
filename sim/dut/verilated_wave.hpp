// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <verilated.h>
#if KB_TRACE
#include <verilated_fst_c.h>
#endif

#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>

namespace kernbench::sim {

/// The waveform of a verilated top (FST), and the time of its values. Cycle n begins with a rising
/// edge at n * 10 ns; its falling edge is in the middle. Only a model that was built with KB_TRACE
/// writes one.
template <class Top>
class VerilatedWave {
 public:
  VerilatedWave() = default;
  VerilatedWave(const VerilatedWave&) = delete;
  VerilatedWave& operator=(const VerilatedWave&) = delete;
  ~VerilatedWave() { close(); }

  /// Throws std::runtime_error if the file cannot be written, std::logic_error without KB_TRACE.
  void open([[maybe_unused]] Top& top, [[maybe_unused]] const std::string& path) {
#if KB_TRACE
    close();
    fst_ = std::make_unique<VerilatedFstC>();
    top.trace(fst_.get(), 99);
    fst_->open(path.c_str());
    if (!fst_->isOpen()) {
      fst_.reset();
      throw std::runtime_error("cannot write the waveform " + path);
    }
#else
    throw std::logic_error("this model was built without tracing");
#endif
  }
  void close() {
#if KB_TRACE
    if (fst_) fst_->close();
    fst_.reset();
#endif
  }
  /// Stops dumping, or goes on.
  void enable(bool on) {
    is_enabled_ = on;
  }
  [[nodiscard]] std::uint64_t cycle() const {
    return cycle_;
  }
  /// Returns the time at which the cycle begins.
  [[nodiscard]] std::uint64_t time_ns() const {
    return cycle_ * kPeriodNs;
  }

  /// Dumps settled values, to which notes may have been added. Called before each evaluation.
  void before_change() {
    if (undumped_ns_) dump(*undumped_ns_);
    undumped_ns_.reset();
  }
  /// Tells that values have settled: 2 ns apart, after the falling edge from 7 ns on.
  void settled() {
    undumped_ns_ = cycle_ * kPeriodNs + (has_fallen_ ? 7 : 0) + 2 * settled_++;
  }
  void fell() {
    dump(cycle_ * kPeriodNs + kPeriodNs / 2);
    has_fallen_ = true;
    settled_ = 0;
  }
  /// Tells that the next values are those of the next cycle.
  void rose() {
    has_fallen_ = false;
    settled_ = 0;
    ++cycle_;
  }
  [[nodiscard]] bool has_fallen() const {
    return has_fallen_;
  }

 private:
  static constexpr std::uint64_t kPeriodNs = 10;

  void dump([[maybe_unused]] std::uint64_t time_ns) {
#if KB_TRACE
    if (fst_ && is_enabled_) fst_->dump(time_ns);
#endif
  }

  std::uint64_t cycle_ = 0;
  unsigned settled_ = 0;                      ///< calls of settled() since the last edge
  std::optional<std::uint64_t> undumped_ns_;  ///< time of settled values that are not dumped yet
  bool has_fallen_ = false;                   ///< the falling edge of this cycle has been executed
  bool is_enabled_ = true;
#if KB_TRACE
  std::unique_ptr<VerilatedFstC> fst_;
#endif
};

}  // namespace kernbench::sim
