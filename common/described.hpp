// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace kernbench::common {

template <typename T>
class Description;

/// Returns the description of a type. It is specialized for each type that reports describe, and
/// the header of the type declares it.
template <typename T>
const Description<T>& description_of();

}  // namespace kernbench::common
