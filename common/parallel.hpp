// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>

namespace kernbench::common {

/// Calls work(0) to work(count - 1), each once, on up to `jobs` threads. Waits for all calls, then
/// rethrows the exception of the call with the smallest index, if any call threw.
void in_parallel(std::size_t count, unsigned jobs, const std::function<void(std::size_t)>& work);

/// Calls `work` like in_parallel(), but starts no call after one has returned false.
void in_parallel_while(std::size_t count, unsigned jobs,
                       const std::function<bool(std::size_t)>& work);

}  // namespace kernbench::common
