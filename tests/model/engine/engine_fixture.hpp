// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "common/units.hpp"
#include "model/engine/channel.hpp"
#include "model/engine/errors.hpp"
#include "model/engine/occurrence.hpp"
#include "model/engine/resource.hpp"
#include "model/engine/simulation.hpp"

namespace kernbench::model::engine {

using testing::ElementsAre;

inline common::SimTime ps(std::int64_t count) {
  return common::SimTime::from_ps(count);
}

/// A simulation and a log with the time of each entry: "20 copied".
class EngineTest : public testing::Test {
 protected:
  void note(std::string_view what) { log_.push_back(fmt::format("{} {}", sim_.now().ps(), what)); }

  Process note_after(common::SimTime delay, std::string what) {
    co_await sim_.delay(delay);
    note(what);
  }
  Process trigger_after(common::SimTime delay, Event& event) {
    co_await sim_.delay(delay);
    event.trigger();
  }
  Process wait_for(Event& event, std::string what) {
    co_await event;
    note(what);
  }

  std::vector<std::string> log_;
  Simulation sim_;
};

/// Returns the message of the `Error` that `act` throws. Fails and returns "" when it throws none.
template <typename Error>
std::string message_of(const std::function<void()>& act) {
  try {
    act();
  } catch (const Error& error) {
    return error.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return {};
}

}  // namespace kernbench::model::engine
