// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "common/api.hpp"
#include "common/source_location.hpp"

namespace kernbench::common {

/// One error in an input. `hint` says how to correct it and may be empty.
struct Diagnostic {
  SourcePosition position;
  std::string message;
  std::string hint;
};

/// Collects the errors of one or more input files so that they are reported together.
class KERNBENCH_API Diagnostics {
 public:
  static constexpr std::size_t kShownErrors = 100;

  /// Stores the text of `file` so that render() can quote the lines with errors.
  void add_source(const std::string& file, std::string_view text);
  void error(SourcePosition position, std::string message, std::string hint = {});

  /// Adds the errors of another input, and its text.
  void add(const Diagnostics& other);

  [[nodiscard]] bool empty() const { return errors_.empty(); }
  [[nodiscard]] std::size_t size() const { return errors_.size(); }
  /// Returns the errors in the order in which they were reported.
  [[nodiscard]] const std::vector<Diagnostic>& errors() const { return errors_; }

  /// Returns all errors in file order without a trailing newline. Each error is rendered as
  /// `file:line:col: error: message`, the source line, a caret and the hint. A long source line is
  /// cut to the text around the caret, and unprintable bytes become '?'. Errors beyond
  /// kShownErrors are only counted.
  [[nodiscard]] std::string render() const;

  /// Throws BadInput with all collected errors; returns if there are none. Throws std::logic_error
  /// while a YamlMap is still open, because the unknown keys of that map would go unreported.
  void throw_if_any() const;

 private:
  friend class YamlMap;

  [[nodiscard]] std::vector<Diagnostic> in_file_order() const;
  void render_source(const SourcePosition& position, std::string& out) const;

  std::vector<Diagnostic> errors_;
  std::map<std::string, std::vector<std::string>> source_lines_;
  int open_readers_ = 0;
};

/// An unusable input; the program exits with code 2. `what()` is the rendered text.
class KERNBENCH_API BadInput : public std::runtime_error {
 public:
  explicit BadInput(Diagnostics diagnostics);
  /// An error without a source position, such as a missing file or an unwritable folder.
  explicit BadInput(const std::string& message);

  [[nodiscard]] const Diagnostics& diagnostics() const { return *diagnostics_; }

 private:
  // Shared because copying an exception must not throw.
  std::shared_ptr<const Diagnostics> diagnostics_;
};

}  // namespace kernbench::common
