#pragma once

#include <string>
#include <vector>

#include "common/report_envelope.hpp"
#include "cosim/run/cosim.hpp"

namespace kernbench::cosim {

/// What a cosim run found as one self-contained page, which is well-formed XML too: what failed,
/// how far the analytic fabric is off, and for each pattern its curves, its worst transfers and the
/// use of its links. `report` is the envelope of the same run; its data is not looked at.
/// `topology` is the path of the spec as given.
[[nodiscard]] std::string cosim_html(const std::vector<CosimResult>& results,
                                     const topology::SipSpec& sip, const std::string& topology,
                                     const common::ReportEnvelope& report);

}  // namespace kernbench::cosim
