// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "common/diagnostics.hpp"

namespace kernbench::common {

/// Returns the message of the BadInput that `action` throws. Fails the test if it throws none.
template <typename Action>
std::string bad_input_of(Action action) {
  try {
    action();
  } catch (const BadInput& e) {
    return e.what();
  }
  ADD_FAILURE() << "no BadInput was thrown";
  return {};
}

}  // namespace kernbench::common
