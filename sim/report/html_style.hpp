#pragma once

#include <string_view>

namespace kernbench::sim {

/// The style sheet of the HTML report: light and dark, no resource outside the page. What can be
/// switched or hovered works through it alone, so that the page needs no script.
[[nodiscard]] std::string_view html_style();

}  // namespace kernbench::sim
