// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/described.hpp"
#include "maze/link_frame.hpp"

/// Describes the size of a MAZE, which all reports about one have.
template <>
const kernbench::common::Description<kernbench::maze::Shape>& kernbench::common::description_of();
