// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace kernbench::sim {

/// Returns a text of a model, such as a message or a file name of its RTL, with the names that the
/// user gave to the files.
inline std::string user_text(std::string text) {
  return text;
}

}  // namespace kernbench::sim
