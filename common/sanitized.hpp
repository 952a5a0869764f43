// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace kernbench::common {

/// True in programs with the address or thread sanitizer, which handle crashes themselves.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kSanitized = true;
#elif defined(__has_feature)
inline constexpr bool kSanitized =
    __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
inline constexpr bool kSanitized = false;
#endif

}  // namespace kernbench::common
