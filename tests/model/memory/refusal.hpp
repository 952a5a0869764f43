#pragma once

#include <stdexcept>
#include <string>

namespace kernbench::model::memory {

/// With what a call is refused; "accepted" when it is not.
template <typename Call>
std::string refusal(Call call) {
  try {
    call();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace kernbench::model::memory
