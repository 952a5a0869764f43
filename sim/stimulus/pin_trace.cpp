// SPDX-License-Identifier: Apache-2.0
#include "sim/stimulus/pin_trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "common/diagnostics.hpp"
#include "common/enum_names.hpp"
#include "common/numbers.hpp"
#include "common/text_distance.hpp"

namespace kernbench::sim {
namespace {

using nlohmann::json;

constexpr std::uint64_t kDeepest = 64;
constexpr std::uint64_t kWidest = 64;

enum class Bench { Topo, Primitive };
enum class ChainKind { Lp, Half, NoReady };

constexpr std::array<common::EnumName<Bench>, 2> kBenches = {
    {{"topo", Bench::Topo}, {"primitive", Bench::Primitive}}};
constexpr std::array<common::EnumName<ChainKind>, 3> kChainKinds = {
    {{"lp", ChainKind::Lp}, {"half", ChainKind::Half}, {"no_ready", ChainKind::NoReady}}};

/// The ports that exist, and the bits of a packet.
struct Limits {
  unsigned nodes = 0;
  unsigned ports = 0;
  unsigned bits = 0;
};

/// Reads the data of one artefact and collects all of its errors.
class PinTraceReader {
 public:
  PinTraceReader(const json& data, std::string file) : data_(data), file_(std::move(file)) {}

  [[nodiscard]] PinTrace read() {
    PinTrace trace;
    if (!data_.is_object()) {
      error("data", "must be an object");
    } else {
      read_data(trace);
    }
    diagnostics_.throw_if_any();
    return trace;
  }

 private:
  void read_data(PinTrace& trace) {
    const auto bench = one_of(data_, "data", "bench", kBenches);
    std::vector<std::string_view> keys = {"bench", "receivers", "cycles"};
    if (bench) keys.push_back(*bench == Bench::Topo ? "fabric" : "primitive");
    std::vector<std::string_view> others = {"fails"};
    if (!bench) others.insert(others.end(), {"fabric", "primitive"});
    (void)check_keys(data_, "data", keys, others);
    if (const json* fabric = find(data_, "fabric"); fabric != nullptr && bench == Bench::Topo) {
      read_fabric(*fabric, trace);
    }
    if (const json* primitive = find(data_, "primitive");
        primitive != nullptr && bench == Bench::Primitive) {
      read_primitive(*primitive, trace);
    }
    if (const json* receivers = find_list(data_, "data", "receivers")) {
      read_receivers(*receivers, trace);
    }
    if (const json* cycles = find_list(data_, "data", "cycles")) read_cycles(*cycles, trace);
    if (const json* fails = find(data_, "fails")) read_failure(*fails, trace);
  }

  void read_fabric(const json& fabric, PinTrace& trace) {
    const std::string path = "data.fabric";
    if (!check_keys(fabric, path, {"nx", "ny", "flit_bits"})) return;
    const auto nx = number(fabric, path, "nx", 2, 16);
    const auto ny = number(fabric, path, "ny", 2, 16);
    const auto bits = number(fabric, path, "flit_bits", 1, 32);
    if (!nx || !ny || !bits) return;
    trace.shape = {static_cast<unsigned>(*nx), static_cast<unsigned>(*ny),
                   static_cast<unsigned>(*bits)};
    limits_ = Limits{trace.shape.nodes(), trace.shape.ports(), trace.shape.payload_w()};
  }

  void read_primitive(const json& primitive, PinTrace& trace) {
    const std::string path = "data.primitive";
    if (!check_keys(primitive, path, {"payload_bits", "depth", "kind", "ro_en"})) return;
    const auto bits = number(primitive, path, "payload_bits", 1, kWidest);
    const auto depth = number(primitive, path, "depth", 0, kDeepest);
    const auto kind = one_of(primitive, path, "kind", kChainKinds);
    const auto ro_en = flag(primitive, path, "ro_en");
    // The nodes of a bench of one chain.
    trace.shape = {2, 2, 8};
    trace.primitive = PinPrimitive{static_cast<unsigned>(bits.value_or(1)),
                                   {.depth = static_cast<unsigned>(depth.value_or(0)),
                                    .no_ready = kind == ChainKind::NoReady,
                                    .half = kind == ChainKind::Half,
                                    .ro_en = ro_en.value_or(false)}};
    if (bits) limits_ = Limits{1, 1, static_cast<unsigned>(*bits)};
  }

  void read_receivers(const json& receivers, PinTrace& trace) {
    for (std::size_t i = 0; i < receivers.size(); ++i) {
      const std::string path = fmt::format("data.receivers[{}]", i);
      if (!check_keys(receivers[i], path, {"node", "port"})) continue;
      const auto port = pin_port(receivers[i], path);
      if (!port) continue;
      if (std::find(trace.receivers.begin(), trace.receivers.end(), *port) !=
          trace.receivers.end()) {
        error(path, fmt::format("names node {} port {} again", port->node, port->port));
      }
      trace.receivers.push_back(*port);
    }
    receivers_ = receivers.size();
  }

  void read_cycles(const json& cycles, PinTrace& trace) {
    if (cycles.empty()) error("data.cycles", "is empty: nothing would be compared");
    trace.cycles.reserve(cycles.size());
    for (std::size_t i = 0; i < cycles.size(); ++i) {
      trace.cycles.push_back(read_cycle(cycles[i], fmt::format("data.cycles[{}]", i), i == 0));
    }
  }

  PinCycle read_cycle(const json& source, const std::string& path, bool first) {
    PinCycle cycle;
    if (!check_keys(source, path, {"reset", "offers", "ready"})) return cycle;
    const auto reset = flag(source, path, "reset");
    cycle.reset = reset.value_or(false);
    if (first && reset == false) {
      error(path + ".reset", "must be true: flops have random bits before their first reset");
    }
    if (const json* offers = find_list(source, path, "offers")) {
      read_offers(*offers, path + ".offers", cycle);
    }
    if (const json* ready = find_list(source, path, "ready")) {
      read_ready(*ready, path + ".ready", cycle);
    }
    return cycle;
  }

  void read_ready(const json& ready, const std::string& path, PinCycle& cycle) {
    if (receivers_ && ready.size() != *receivers_) {
      error(path, fmt::format("must have a value for each receiver, {}, not {}", *receivers_,
                              ready.size()));
    }
    for (std::size_t i = 0; i < ready.size(); ++i) {
      if (!ready[i].is_boolean()) {
        error(fmt::format("{}[{}]", path, i), must_be("true or false", ready[i]));
      }
      cycle.ready.push_back(ready[i] == true);
    }
  }

  void read_offers(const json& offers, const std::string& path, PinCycle& cycle) {
    for (std::size_t i = 0; i < offers.size(); ++i) {
      const std::string here = fmt::format("{}[{}]", path, i);
      if (!check_keys(offers[i], here, {"node", "port", "packet"}, {"valid"})) continue;
      const bool valid =
          !offers[i].contains("valid") || flag(offers[i], here, "valid").value_or(true);
      const auto from = pin_port(offers[i], here);
      const maze::Payload bits = packet(offers[i], here + ".packet");
      if (!from) continue;
      if (std::any_of(cycle.offers.begin(), cycle.offers.end(),
                      [&](const PinOffer& other) { return other.from == *from; })) {
        error(here, fmt::format("is a second offer of node {} port {}", from->node, from->port));
      }
      cycle.offers.push_back({*from, bits, valid});
    }
  }

  void read_failure(const json& fails, PinTrace& trace) {
    const std::string path = "data.fails";
    if (!check_keys(fails, path, {"cycle", "rule"})) return;
    const auto cycle =
        number(fails, path, "cycle", 0,
               trace.cycles.empty() ? ~std::uint64_t{0} : std::uint64_t{trace.cycles.size()} - 1);
    const json* rule = find(fails, "rule");
    if (rule != nullptr && !rule->is_string()) error(path + ".rule", must_be("text", *rule));
    if (rule == nullptr || !rule->is_string()) return;
    trace.fails = PinFailure{cycle.value_or(0), rule->get<std::string>()};
  }

  std::optional<PinPort> pin_port(const json& object, const std::string& path) {
    const auto node = number(object, path, "node", 0, limits_ ? limits_->nodes - 1 : ~0U);
    const auto port = number(object, path, "port", 0, limits_ ? limits_->ports - 1 : ~0U);
    if (!node || !port) return std::nullopt;
    return PinPort{static_cast<unsigned>(*node), static_cast<unsigned>(*port)};
  }

  maze::Payload packet(const json& object, const std::string& path) {
    const json* source = find(object, "packet");
    if (source == nullptr) return 0;
    const auto bits =
        source->is_string() ? common::parse_u64(source->get<std::string>()) : std::nullopt;
    if (!bits) {
      error(path, must_be("a number as text, such as \"0x1a2b3c\"", *source));
      return 0;
    }
    if (limits_ && limits_->bits < 64 && *bits >> limits_->bits != 0) {
      error(path, fmt::format("is {:#x}, which has more than the {} bits of a packet", *bits,
                              limits_->bits));
    }
    return *bits;
  }

  void error(const std::string& path, const std::string& what) {
    diagnostics_.error({file_}, fmt::format("{} {}", path, what));
  }

  static std::string must_be(std::string_view expected, const json& got) {
    return fmt::format("must be {}, not {}", expected,
                       got.dump(-1, ' ', false, json::error_handler_t::replace));
  }

  /// Returns the value at `key`, or null when it is absent, which check_keys() has reported if it
  /// is an error.
  [[nodiscard]] static const json* find(const json& object, std::string_view key) {
    const auto found = object.find(key);
    return found == object.end() ? nullptr : &*found;
  }

  /// Returns the list at `key`, or null after reporting another type.
  const json* find_list(const json& object, const std::string& path, const char* key) {
    const json* source = find(object, key);
    if (source == nullptr || source->is_array()) return source;
    error(fmt::format("{}.{}", path, key), must_be("a list", *source));
    return nullptr;
  }

  /// Reports missing and unknown keys. Returns false unless `source` is an object.
  bool check_keys(const json& source, const std::string& path,
                  std::span<const std::string_view> required,
                  std::span<const std::string_view> others = {}) {
    if (!source.is_object()) {
      error(path, must_be("an object", source));
      return false;
    }
    for (const std::string_view key : required) {
      if (!source.contains(key)) error(path, fmt::format("has no key '{}'", key));
    }
    std::vector<std::string_view> known(required.begin(), required.end());
    known.insert(known.end(), others.begin(), others.end());
    for (const auto& item : source.items()) {
      if (std::find(known.begin(), known.end(), item.key()) != known.end()) continue;
      const auto nearest = common::nearest_name(item.key(), known);
      error(path, fmt::format("has the unknown key '{}'{}", item.key(),
                              nearest ? fmt::format("; did you mean '{}'?", *nearest) : ""));
    }
    return true;
  }
  bool check_keys(const json& source, const std::string& path,
                  std::initializer_list<std::string_view> required,
                  std::initializer_list<std::string_view> others = {}) {
    return check_keys(source, path, std::span(required.begin(), required.size()),
                      std::span(others.begin(), others.size()));
  }

  std::optional<std::uint64_t> number(const json& object, const std::string& path, const char* key,
                                      std::uint64_t least, std::uint64_t most) {
    const json* source = find(object, key);
    if (source == nullptr) return std::nullopt;
    if (source->is_number_unsigned() && *source >= least && *source <= most) {
      return source->get<std::uint64_t>();
    }
    error(fmt::format("{}.{}", path, key),
          must_be(fmt::format("a whole number from {} to {}", least, most), *source));
    return std::nullopt;
  }

  std::optional<bool> flag(const json& object, const std::string& path, const char* key) {
    const json* source = find(object, key);
    if (source == nullptr) return std::nullopt;
    if (source->is_boolean()) return source->get<bool>();
    error(fmt::format("{}.{}", path, key), must_be("true or false", *source));
    return std::nullopt;
  }

  template <typename Enum, std::size_t kCount>
  std::optional<Enum> one_of(const json& object, const std::string& path, const char* key,
                             const std::array<common::EnumName<Enum>, kCount>& names) {
    const json* source = find(object, key);
    if (source == nullptr) return std::nullopt;
    std::string expected;
    for (const auto& [name, meaning] : names) {
      if (*source == name) return meaning;
      expected += fmt::format("{}'{}'", expected.empty() ? "" : " or ", name);
    }
    error(fmt::format("{}.{}", path, key), must_be(expected, *source));
    return std::nullopt;
  }

  const json& data_;
  std::string file_;
  common::Diagnostics diagnostics_;
  std::optional<Limits> limits_;          ///< absent after an error in the bench's parameters
  std::optional<std::size_t> receivers_;  ///< absent unless there is a list of them
};

}  // namespace

PinTrace pin_trace_of(const common::ReportEnvelope& report, const std::string& file) {
  PinTrace trace = PinTraceReader(report.data, file).read();
  trace.seed = report.seed;
  return trace;
}

}  // namespace kernbench::sim
