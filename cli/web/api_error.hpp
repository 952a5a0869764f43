// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>

namespace kernbench::cli::web {

/// A request that cannot be answered. The text is sent to the client.
class ApiError : public std::runtime_error {
 public:
  /// `status` is the HTTP status: 400 for an invalid request, 404 for a missing object.
  ApiError(int status, const std::string& text) : std::runtime_error(text), status_(status) {}
  [[nodiscard]] int status() const { return status_; }

 private:
  int status_;
};

}  // namespace kernbench::cli::web
