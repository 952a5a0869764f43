// SPDX-License-Identifier: Apache-2.0
#include "sim/dut/rtl_names.hpp"

#include <mutex>
#include <utility>

namespace kernbench::sim {
namespace {

std::mutex g_mutex;
SourceNames g_names;

}  // namespace

void use_names(SourceNames names) {
  const std::scoped_lock lock(g_mutex);
  g_names = std::move(names);
}

std::string user_text(const std::string& text) {
  const std::scoped_lock lock(g_mutex);
  return g_names.user_text(text);
}

}  // namespace kernbench::sim
