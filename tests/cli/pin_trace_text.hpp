// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace kernbench::cli_test {

/// One cycle of a pin-trace with one sender and one receiver.
struct PinsOf {
  bool reset = false;
  std::string packet = {};  ///< empty: nothing is offered
  bool ready = true;
};

/// Returns a pin-trace. `bench` has the members of data that say where the pins are; `source` and
/// `sink` are the ends of the link.
inline std::string pin_trace_text(nlohmann::json bench, const nlohmann::json& source,
                                  const nlohmann::json& sink, const std::vector<PinsOf>& cycles,
                                  std::optional<int> fails = std::nullopt) {
  nlohmann::json data = std::move(bench);
  data["receivers"] = nlohmann::json::array({sink});
  data["cycles"] = nlohmann::json::array();
  for (const PinsOf& cycle : cycles) {
    nlohmann::json offers = nlohmann::json::array();
    if (!cycle.packet.empty()) {
      offers.push_back(source);
      offers.back()["packet"] = cycle.packet;
    }
    data["cycles"].push_back({{"reset", cycle.reset},
                              {"offers", offers},
                              {"ready", nlohmann::json::array({cycle.ready})}});
  }
  if (fails) data["fails"] = {{"cycle", *fails}, {"rule", "order"}};
  return nlohmann::json{{"schema", 1},          {"kind", "pin-trace"},    {"outcome", "mismatch"},
                        {"seed", nullptr},      {"config_hash", "0"},     {"revision", "r"},
                        {"command", "prove x"}, {"data", std::move(data)}}
      .dump(1);
}

}  // namespace kernbench::cli_test
