#include "cli/host_timeout.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>

#include "common/outcome.hpp"

namespace kernbench::cli {

void add_host_timeout_option(CLI::App& command, double& seconds) {
  command
      .add_option("--timeout-s", seconds,
                  "End with exit code 3 when the simulation of a bench has taken so long on this "
                  "computer")
      ->check(CLI::Range(1e-3, 1e7))
      ->capture_default_str();
}

std::chrono::milliseconds host_time_limit(double seconds) {
  return std::chrono::milliseconds(std::llround(seconds * 1000.0));
}

void end_by_host_timeout(const std::string& what) {
  fmt::print(stderr, "{}\n", what);
  std::_Exit(common::exit_code(common::Outcome::Timeout));
}

}  // namespace kernbench::cli
