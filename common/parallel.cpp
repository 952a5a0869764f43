// SPDX-License-Identifier: Apache-2.0
#include "common/parallel.hpp"

#include <atomic>
#include <exception>
#include <thread>
#include <vector>

namespace kernbench::common {

void in_parallel(std::size_t count, unsigned jobs, const std::function<void(std::size_t)>& work) {
  in_parallel_while(count, jobs, [&work](std::size_t i) {
    work(i);
    return true;
  });
}

void in_parallel_while(std::size_t count, unsigned jobs,
                       const std::function<bool(std::size_t)>& work) {
  std::atomic<std::size_t> next{0};
  std::vector<std::exception_ptr> errors(count);
  const auto worker = [&] {
    for (std::size_t i = next++; i < count; i = next++) {
      try {
        if (!work(i)) next = count;
      } catch (...) {
        errors[i] = std::current_exception();
      }
    }
  };
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 1; i < jobs && i < count; ++i) threads.emplace_back(worker);
    worker();
  }
  for (const std::exception_ptr& error : errors) {
    if (error) std::rethrow_exception(error);
  }
}

}  // namespace kernbench::common
