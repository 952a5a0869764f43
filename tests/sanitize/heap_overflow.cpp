// SPDX-License-Identifier: Apache-2.0
// Reads beyond an allocation: the address sanitizer has to say so.
#include <vector>

int main(int argc, char** /*argv*/) {
  const std::vector<int> values(1);
  return values.data()[argc] == 0 ? 0 : 1;
}
