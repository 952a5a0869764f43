#pragma once

#include <cstddef>
#include <functional>

namespace kernbench::common {

/// Calls work(0) to work(count - 1), from up to `jobs` threads at once, each call from one of them.
/// When all are done, throws what the call with the smallest number threw, if any did.
void in_parallel(std::size_t count, unsigned jobs, const std::function<void(std::size_t)>& work);

}  // namespace kernbench::common
