// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

// Sanitizers must be told of each switch of stacks.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define KB_ADDRESS_SANITIZER 1
#endif
#if __has_feature(thread_sanitizer)
#define KB_THREAD_SANITIZER 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define KB_ADDRESS_SANITIZER 1
#endif
#if defined(__SANITIZE_THREAD__)
#define KB_THREAD_SANITIZER 1
#endif

#if defined(KB_ADDRESS_SANITIZER)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#if defined(KB_THREAD_SANITIZER)
#include <sanitizer/tsan_interface.h>
#endif

namespace kernbench::model::engine {

/// Tells the sanitizers about a fiber and the code that resumes it. Empty without sanitizers. Each
/// switch is announced before it on the old stack (leave_...) and confirmed after it on the new one
/// (enter_...). Inlined because the thread sanitizer counts calls and returns for each stack.
class FiberSanitizer {
 public:
  /// `bottom` is the lowest address of the fiber's stack.
  FiberSanitizer([[maybe_unused]] const void* bottom, [[maybe_unused]] std::size_t bytes) {
#if defined(KB_ADDRESS_SANITIZER)
    fiber_bottom_ = bottom;
    fiber_bytes_ = bytes;
#endif
#if defined(KB_THREAD_SANITIZER)
    fiber_ = __tsan_create_fiber(0);
#endif
  }
  FiberSanitizer(const FiberSanitizer&) = delete;
  FiberSanitizer& operator=(const FiberSanitizer&) = delete;
  ~FiberSanitizer() {
#if defined(KB_ADDRESS_SANITIZER)
    // The fiber's first frames never returned.
    __asan_unpoison_memory_region(fiber_bottom_, fiber_bytes_);
#endif
#if defined(KB_THREAD_SANITIZER)
    __tsan_destroy_fiber(fiber_);
#endif
  }

  // For the code that resumes the fiber.
  [[gnu::always_inline]] void leave_caller() {
#if defined(KB_ADDRESS_SANITIZER)
    __sanitizer_start_switch_fiber(&caller_frames_, fiber_bottom_, fiber_bytes_);
#endif
#if defined(KB_THREAD_SANITIZER)
    caller_ = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(fiber_, 0);
#endif
  }
  [[gnu::always_inline]] void enter_caller() {
#if defined(KB_ADDRESS_SANITIZER)
    __sanitizer_finish_switch_fiber(caller_frames_, nullptr, nullptr);
#endif
  }

  // For the fiber.
  [[gnu::always_inline]] void leave_fiber([[maybe_unused]] bool for_good) {
#if defined(KB_ADDRESS_SANITIZER)
    __sanitizer_start_switch_fiber(for_good ? nullptr : &fiber_frames_, caller_bottom_,
                                   caller_bytes_);
#endif
#if defined(KB_THREAD_SANITIZER)
    __tsan_switch_to_fiber(caller_, 0);
#endif
  }
  [[gnu::always_inline]] void enter_fiber() {
#if defined(KB_ADDRESS_SANITIZER)
    __sanitizer_finish_switch_fiber(fiber_frames_, &caller_bottom_, &caller_bytes_);
#endif
  }

 private:
#if defined(KB_ADDRESS_SANITIZER)
  const void* fiber_bottom_ = nullptr;
  std::size_t fiber_bytes_ = 0;
  const void* caller_bottom_ = nullptr;
  std::size_t caller_bytes_ = 0;
  void* fiber_frames_ =
      nullptr;  // fake stack: locals that are checked after their function returned
  void* caller_frames_ = nullptr;
#endif
#if defined(KB_THREAD_SANITIZER)
  void* fiber_ = nullptr;
  void* caller_ = nullptr;
#endif
};

}  // namespace kernbench::model::engine
