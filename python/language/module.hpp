// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "python/language/object.hpp"

namespace kernbench::python {

/// Creates the module kernbench._language and puts it into sys.modules. The package then finds it
/// there: in the program it is part of the interpreter's plugin, in Python of kernbench._native.
/// Throws Raised.
void add_language_module();

}  // namespace kernbench::python
