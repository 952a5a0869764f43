// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace kernbench::plot {

/// Returns the width, in px, that `text` needs in the widest of the usual fonts.
[[nodiscard]] double text_width(std::string_view text, double font_px);

}  // namespace kernbench::plot
