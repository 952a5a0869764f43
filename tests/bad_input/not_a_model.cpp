// SPDX-License-Identifier: Apache-2.0
// A shared library that is not a model.
extern "C" int answer() {
  return 42;
}
