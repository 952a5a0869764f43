// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "common/description.hpp"
#include "plot/report_kind.hpp"

namespace kernbench::cli_test {

/// The data of a small kind of report.
struct Note {
  std::string text;
};

}  // namespace kernbench::cli_test

template <>
inline const kernbench::common::Description<kernbench::cli_test::Note>&
kernbench::common::description_of() {
  using kernbench::cli_test::Note;
  static const auto kAll = Description<Note>().add("text", &Note::text, "what it says");
  return kAll;
}

namespace kernbench::cli_test {

inline const plot::ReportKind kNote = {.name = "note",
                                       .command = "note",
                                       .about = "A note",
                                       .envelope = {.grade = false},
                                       .form = common::form_of<Note>};

/// Returns a report of this kind with these data.
inline std::string note_report(const std::string& data) {
  return "{\n \"schema\": 1,\n \"kind\": \"note\",\n \"outcome\": \"pass\",\n \"seed\": null,\n"
         " \"config_hash\": \"\",\n \"revision\": \"\",\n \"command\": \"\",\n \"data\": " +
         data + "}\n";
}

}  // namespace kernbench::cli_test
