#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "common/source_location.hpp"

namespace kernbench::common {

/// One thing that is wrong with an input, and what would be right (`hint`, may be empty).
struct Diagnostic {
  SourcePosition position;
  std::string message;
  std::string hint;
};

/// Collects all errors of one or more input files, so that they can be reported at once.
class Diagnostics {
 public:
  static constexpr std::size_t kShownErrors = 100;

  /// Keeps the text of `file`, so that render() can show the lines that errors point at.
  void add_source(const std::string& file, std::string_view text);
  void error(SourcePosition position, std::string message, std::string hint = {});

  [[nodiscard]] bool empty() const { return errors_.empty(); }
  [[nodiscard]] std::size_t size() const { return errors_.size(); }
  /// In the order in which they were reported.
  [[nodiscard]] const std::vector<Diagnostic>& errors() const { return errors_; }

  /// All errors in file order, each as `file:line:col: error: message`, the source line, a caret
  /// and the hint; without a newline at the end. Of a long line the part around the caret is
  /// shown, with '?' for what cannot be printed; of more than kShownErrors errors, their number.
  [[nodiscard]] std::string render() const;

  /// Throws BadInput with everything collected, if there is anything. Call it when all readers of
  /// the file are finished: with a YamlMap still open its unknown keys would be lost, which
  /// throws std::logic_error.
  void throw_if_any() const;

 private:
  friend class YamlMap;

  [[nodiscard]] std::vector<Diagnostic> in_file_order() const;
  void render_source(const SourcePosition& position, std::string& out) const;

  std::vector<Diagnostic> errors_;
  std::map<std::string, std::vector<std::string>> source_lines_;
  int open_readers_ = 0;
};

/// An input that cannot be used: exit code 2. `what()` is the rendered text.
class BadInput : public std::runtime_error {
 public:
  explicit BadInput(Diagnostics diagnostics);
  /// An error that points into no file, such as a missing file or an unwritable folder.
  explicit BadInput(const std::string& message);

  [[nodiscard]] const Diagnostics& diagnostics() const { return *diagnostics_; }

 private:
  std::shared_ptr<const Diagnostics> diagnostics_;  // shared: copying an exception must not throw
};

}  // namespace kernbench::common
