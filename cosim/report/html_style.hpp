#pragma once

#include <string_view>

namespace kernbench::cosim {

/// What the page of a cosim run needs besides html_style(): charts and their legends, tables with
/// a block of rows for each load, cells of the link map.
[[nodiscard]] std::string_view cosim_style();

}  // namespace kernbench::cosim
