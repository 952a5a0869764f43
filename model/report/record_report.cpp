// SPDX-License-Identifier: Apache-2.0
#include "model/report/record_report.hpp"

#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>
#include <string_view>

#include "common/description.hpp"
#include "model/kernel/recording_executor.hpp"
#include "plot/member_html.hpp"

namespace kernbench::common {

using model::kernel::RecordedOperation;
using model::report::RecordReport;
using model::runtime::RecordedLaunch;

template <>
const Description<RecordedOperation>& description_of() {
  static const auto kAll =
      Description<RecordedOperation>()
          .add("name", &RecordedOperation::name, "in `tl`")
          .add(
              "effect", [](const auto& one) { return model::kernel::text_of(one.params); },
              "in words")
          .add("dependencies", &RecordedOperation::dependencies,
               "operations that made its inputs, as indices of this list")
          .add(
              "line",
              [](const auto& one) { return fmt::format("{}:{}", one.line.file, one.line.line); },
              "of the kernel");
  return kAll;
}

template <>
const Description<RecordedLaunch>& description_of() {
  static const auto kAll = Description<RecordedLaunch>()
                               .add("kernel", &RecordedLaunch::kernel)
                               .add("device", [](const auto& one) { return one.device.name(); })
                               .add("operations", &RecordedLaunch::operations);
  return kAll;
}

template <>
const Description<RecordReport>& description_of() {
  static const auto kAll = Description<RecordReport>()
                               .add("bench", &RecordReport::bench)
                               .add("parameters", &RecordReport::parameters, "all of the bench")
                               .add("cube", &RecordReport::cube, "of the program, in its launch")
                               .add("pe", &RecordReport::pe, "of the program, in its cube")
                               .add(
                                   "launches", [](const auto& report) { return report.launches; },
                                   "with a program at this place")
                               .not_empty();
  return kAll;
}

}  // namespace kernbench::common

namespace kernbench::model::report {

namespace {

constexpr std::size_t kMostOperations = 1000;  ///< operations of a launch on the page
constexpr std::array<std::string_view, 1> kDrawnOfRecord = {"launches"};

/// Returns a section for each launch, with its operations.
std::vector<plot::ReportSection> launches_of(const nlohmann::json& data) {
  const common::ValueForm& form =
      kRecordReport.form().member("launches").items().member("operations");
  std::vector<plot::ReportSection> sections;
  for (const nlohmann::json& launch : data["launches"]) {
    sections.push_back({fmt::format("Kernel {} on {}", launch["kernel"].get<std::string>(),
                                    launch["device"].get<std::string>()),
                        plot::html_of_value(form, launch["operations"], kMostOperations)});
  }
  return sections;
}

}  // namespace

const plot::ReportKind kRecordReport = {
    .name = "kernel-record",
    .command = "kernel record",
    .about = "Operations of the kernels of a bench on one PE, not simulated",
    .envelope = {.grade = false},
    .form = common::form_of<RecordReport>,
    .parts = launches_of,
    .drawn = kDrawnOfRecord};

}  // namespace kernbench::model::report
