// SPDX-License-Identifier: Apache-2.0
// Adds beyond the largest int: the undefined-behaviour sanitizer has to say so.
#include <limits>

int main(int argc, char** /*argv*/) {
  return std::numeric_limits<int>::max() - 1 + 2 * argc < 0 ? 0 : 1;
}
