#pragma once

#include <stdexcept>
#include <string>

namespace kernbench::cli::web {

/// A question that has no answer; the text is for the one who asked.
class ApiError : public std::runtime_error {
 public:
  /// `status` of HTTP: 400 for what makes no sense, 404 for what is not there.
  ApiError(int status, const std::string& text) : std::runtime_error(text), status_(status) {}
  [[nodiscard]] int status() const { return status_; }

 private:
  int status_;
};

}  // namespace kernbench::cli::web
