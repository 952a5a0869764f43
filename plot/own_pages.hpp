// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <string>

#include "common/report_envelope.hpp"

namespace kernbench::plot {

/// Pages of kinds of report that do not follow from their forms, by the name of the kind. Each is
/// made of the report in a file, which messages name, and throws common::BadInput for data of
/// another form.
using OwnPages =
    std::map<std::string, std::function<std::string(const common::ReportEnvelope& report,
                                                    const std::string& file)>>;

}  // namespace kernbench::plot
