// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "common/archive.hpp"
#include "common/parts.hpp"

namespace kernbench::common {

/// Runs a loop that fills `results`, one element for each part. Throws PartsInterrupted.
template <typename T>
void fill_in_parts(
    Parts* parts, unsigned jobs, std::vector<T>& results,
    const std::function<bool(std::size_t)>& compute,
    const std::function<void(std::size_t)>& taken = [](std::size_t) {}) {
  const PartLoop loop = {.count = results.size(),
                         .compute = compute,
                         .bytes_of = [&](std::size_t i) { return archived(results[i]); },
                         .take =
                             [&](std::size_t i, const std::string& bytes) {
                               unarchive(bytes, results[i]);
                               taken(i);
                             }};
  if (!run_loop(parts, jobs, loop)) throw PartsInterrupted();
}

}  // namespace kernbench::common
