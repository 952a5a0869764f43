// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace kernbench::common {

template <typename T>
class Description;
struct ValueForm;

/// Returns the description of a type. It is specialized for each type that reports describe, and
/// the header of the type declares it.
template <typename T>
const Description<T>& description_of();

/// Returns the form of a described type.
template <typename T>
const ValueForm& form_of() {
  return description_of<T>().form();
}

}  // namespace kernbench::common
