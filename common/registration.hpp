// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "common/api.hpp"

namespace kernbench::common {

/// Refuses an entry that registers itself, for example because its name is already registered.
/// While a RegistrationErrors exists, the message is kept there; otherwise the program is aborted
/// with it.
KERNBENCH_API void refuse_registration(const std::string& message);

/// Collects the messages of refused registrations while a plugin is loaded. At most one exists at
/// a time.
class KERNBENCH_API RegistrationErrors {
 public:
  RegistrationErrors();
  ~RegistrationErrors();
  RegistrationErrors(const RegistrationErrors&) = delete;
  RegistrationErrors& operator=(const RegistrationErrors&) = delete;

  [[nodiscard]] const std::vector<std::string>& messages() const { return messages_; }

 private:
  friend void refuse_registration(const std::string& message);
  std::vector<std::string> messages_;
};

}  // namespace kernbench::common
