// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>

// Facts of the compilation that change the layout of what a plugin and kernbench exchange, as text.

#define KERNBENCH_TEXT_OF_WORDS(words) #words
#define KERNBENCH_TEXT_OF(macro) KERNBENCH_TEXT_OF_WORDS(macro)

#ifdef __GLIBCXX__
#define KERNBENCH_STANDARD_LIBRARY \
  "libstdc++, _GLIBCXX_USE_CXX11_ABI=" KERNBENCH_TEXT_OF(_GLIBCXX_USE_CXX11_ABI)
#else
#define KERNBENCH_STANDARD_LIBRARY "another standard library than libstdc++"
#endif
#ifdef _GLIBCXX_DEBUG
#define KERNBENCH_DEBUG_CONTAINERS ", _GLIBCXX_DEBUG"
#else
#define KERNBENCH_DEBUG_CONTAINERS ""
#endif

/// For example "libstdc++, _GLIBCXX_USE_CXX11_ABI=1, EIGEN_MAX_ALIGN_BYTES=16".
#define KERNBENCH_ABI        \
  KERNBENCH_STANDARD_LIBRARY \
  KERNBENCH_DEBUG_CONTAINERS ", EIGEN_MAX_ALIGN_BYTES=" KERNBENCH_TEXT_OF(EIGEN_MAX_ALIGN_BYTES)
