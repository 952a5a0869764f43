// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "common/value_form.hpp"

namespace kernbench::common {

/// A format of input files, whose schema follows from the form with which it is read.
struct InputKind {
  std::string_view name;   ///< name of its schema: "regression"
  std::string_view title;  ///< title of its schema: "A regression file of kernbench sim (YAML)"
  const ValueForm& (*form)();
  bool has_envelope = false;  ///< the form is that of the `data` of a report
  bool is_report = false;     ///< a program writes it: texts can be empty, nothing has a default
};

/// Returns the JSON Schema of a format.
[[nodiscard]] std::string schema_of(const InputKind& kind);

}  // namespace kernbench::common
