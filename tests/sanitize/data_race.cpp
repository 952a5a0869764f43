// SPDX-License-Identifier: Apache-2.0
// Two threads count without a lock: the thread sanitizer has to say so.
#include <thread>

int main() {
  int count = 0;
  std::thread other([&count] { ++count; });
  ++count;
  other.join();
  return count == 0 ? 1 : 0;
}
