// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/text_lines.hpp"
#include "common/text_table.hpp"

namespace kernbench::cli {

using common::fixed_text;
using common::text_columns;
using common::TextTable;
using common::wrapped;
using common::wrapped_from;

}  // namespace kernbench::cli
