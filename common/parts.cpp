// SPDX-License-Identifier: Apache-2.0
#include "common/parts.hpp"

#include "common/parallel.hpp"

namespace kernbench::common {

bool run_loop(Parts* parts, unsigned jobs, const PartLoop& loop) {
  if (parts != nullptr) return parts->run(loop);
  in_parallel_while(loop.count, jobs, loop.compute);
  return true;
}

}  // namespace kernbench::common
