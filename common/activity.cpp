// SPDX-License-Identifier: Apache-2.0
#include "common/activity.hpp"

#include <cstdio>
#include <string>

#include "common/progress.hpp"

namespace kernbench::common {
namespace {

bool& shown() {
  static bool is_shown = false;
  return is_shown;
}

}  // namespace

void show_activity() {
  shown() = true;
}

bool activity_is_shown() {
  return shown();
}

void report_activity(std::string_view text) {
  if (!shown()) return;
  Progress::make_room();
  const std::string line = std::string(text) + '\n';
  (void)std::fwrite(line.data(), 1, line.size(), stderr);
}

}  // namespace kernbench::common
