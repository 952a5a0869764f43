// SPDX-License-Identifier: Apache-2.0
#include "common/registration.hpp"

#include <cstdio>
#include <cstdlib>

namespace kernbench::common {
namespace {

/// Entries register themselves before main() and while a plugin is loaded, in one thread.
RegistrationErrors* g_errors = nullptr;

}  // namespace

void refuse_registration(const std::string& message) {
  if (g_errors != nullptr) {
    g_errors->messages_.push_back(message);
    return;
  }
  std::fprintf(stderr, "kernbench: %s\n", message.c_str());
  std::abort();
}

RegistrationErrors::RegistrationErrors() {
  g_errors = this;
}

RegistrationErrors::~RegistrationErrors() {
  g_errors = nullptr;
}

}  // namespace kernbench::common
