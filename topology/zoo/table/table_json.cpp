// SPDX-License-Identifier: Apache-2.0
// Reader of the JSON that `topology zoo -o` writes: channels, and routes over them.
#include <fmt/format.h>

#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/json_places.hpp"
#include "common/utf8.hpp"
#include "topology/zoo/table/routing_table.hpp"

namespace kernbench::topology::zoo {
namespace {

using nlohmann::json;

/// A whole number in the file.
struct Number {
  std::uint64_t value = 0;
  std::size_t offset = 0;
};
using NumberPair = std::array<Number, 2>;

/// A route as the file has it.
struct FileRoute {
  std::optional<Number> src;
  std::optional<Number> dst;
  std::optional<std::size_t> hops_at;  ///< offset of `hops`
  std::size_t offset = 0;
  std::vector<NumberPair> hops;  ///< channel and virtual channel
};

/// The members of the file that a table needs.
struct FileParts {
  std::optional<Number> nodes;
  std::optional<Number> vcs;
  std::vector<std::pair<std::string, std::size_t>> names;  ///< with their offsets
  std::vector<NumberPair> channels;
  std::vector<FileRoute> routes;
  std::optional<std::size_t> channels_at;
  std::optional<std::size_t> routes_at;
};

/// Receives the parser's events. Each handler returns false to stop the parser.
class TableEvents : public nlohmann::json_sax<json> {
 public:
  TableEvents(const common::JsonPlaces& places, ImportReport& report, FileParts& parts)
      : places_(places), report_(report), parts_(parts) {}

  bool null() override { return other("null", places_.word.offset); }
  bool boolean(bool is_true) override {
    return other(is_true ? "true" : "false", places_.word.offset);
  }
  bool number_integer(number_integer_t number) override {
    return other(std::to_string(number), places_.word.offset);
  }
  bool number_float(number_float_t /*number*/, const string_t& text) override {
    return other(text, places_.word.offset);
  }
  bool binary(binary_t& /*bytes*/) override { return false; }  // does not occur in JSON text
  bool number_unsigned(number_unsigned_t number) override {
    return skipped_ > 0 || take({number, places_.word.offset});
  }
  bool string(string_t& text) override {
    if (skipped_ > 0) return true;
    const std::size_t offset = places_.string.offset;
    if (level_ == Level::Names) {
      parts_.names.emplace_back(text, offset);
      return true;
    }
    if (level_ == Level::Envelope && key_ == "kind" && text != "base-topology") {
      report_.error(offset,
                    fmt::format("'kind' is {}, not 'base-topology'", common::in_quotes(text)),
                    "write the file with `kernbench topology zoo -o`");
      return false;
    }
    return other(common::in_quotes(text), offset);
  }

  bool key(string_t& name) override {
    if (skipped_ == 0) key_ = name;
    return true;
  }
  bool start_object(std::size_t /*size*/) override {
    return open(Level::Document, "", Level::Envelope) ||
           open(Level::Envelope, "data", Level::Data) ||
           open(Level::Data, "routing", Level::Routing) || open_route() || skip("a map");
  }
  bool start_array(std::size_t /*size*/) override {
    const std::size_t offset = places_.bracket.offset;
    if (open(Level::Data, "channels", Level::Channels)) {
      parts_.channels_at = offset;
    } else if (open(Level::Data, "routes", Level::Routes)) {
      parts_.routes_at = offset;
    } else if (open(Level::Route, "hops", Level::Hops)) {
      parts_.routes.back().hops_at = offset;
    } else if (open(Level::Channels, {}, Level::Pair) || open(Level::Hops, {}, Level::Pair)) {
      pair_.clear();
      pair_at_ = offset;
    } else if (!open(Level::Data, "node_names", Level::Names)) {
      return skip("a list");
    }
    return true;
  }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool parse_error(std::size_t /*at*/, const std::string& /*token*/,
                   const json::exception& what) override {
    // "[json.exception.parse_error.101] parse error at line 1, column 9: syntax error ..."
    std::string_view text = what.what();
    const std::size_t reason = text.find(": ");
    if (reason != std::string_view::npos) text.remove_prefix(reason + 2);
    report_.error(places_.last.offset, fmt::format("invalid JSON: {}", text));
    return false;
  }

 private:
  enum class Level {
    Document,
    Envelope,
    Data,
    Names,
    Routing,
    Channels,
    Routes,
    Route,
    Hops,
    Pair
  };

  bool open(Level outer, std::string_view name, Level inner) {
    if (skipped_ > 0 || level_ != outer || (!name.empty() && key_ != name)) return false;
    outer_.push_back(level_);
    level_ = inner;
    return true;
  }
  bool open_route() {
    if (!open(Level::Routes, {}, Level::Route)) return false;
    parts_.routes.emplace_back().offset = places_.bracket.offset;
    return true;
  }
  bool skip(const char* what) {
    if (skipped_++ > 0) return true;
    return other(what, places_.bracket.offset);
  }
  bool close() {
    if (skipped_ > 0) {
      --skipped_;
      return true;
    }
    const Level closed = std::exchange(level_, outer_.back());
    outer_.pop_back();
    if (closed != Level::Pair) return !report_.full();
    if (pair_.size() != 2) {
      report_.error(pair_at_, fmt::format("expected two numbers, not {}", pair_.size()));
      pair_.resize(2);
    }
    (level_ == Level::Hops ? parts_.routes.back().hops : parts_.channels)
        .push_back({pair_[0], pair_[1]});
    return !report_.full();
  }

  /// Takes a whole number that is not negative.
  bool take(const Number& number) {
    if (level_ == Level::Pair) {
      pair_.push_back(number);
    } else if (level_ == Level::Data && key_ == "nodes") {
      parts_.nodes = number;
    } else if (level_ == Level::Routing && key_ == "vcs") {
      parts_.vcs = number;
    } else if (level_ == Level::Route && key_ == "src") {
      parts_.routes.back().src = number;
    } else if (level_ == Level::Route && key_ == "dst") {
      parts_.routes.back().dst = number;
    } else {
      return other(std::to_string(number.value), number.offset);
    }
    return true;
  }

  /// Refuses any other value where a table has something else; ignores members that it has not.
  bool other(const std::string& text, std::size_t offset) {
    if (skipped_ > 1) return true;
    const auto refuse = [&](std::string_view expected) {
      report_.error(offset, fmt::format("expected {}, not {}", expected, text));
    };
    switch (level_) {
      case Level::Document:
        refuse("a map");
        return false;
      case Level::Envelope:
        if (key_ == "data") refuse("a map");
        break;
      case Level::Data:
        if (key_ == "nodes") refuse("a whole number");
        if (key_ == "routing") refuse("a map");
        if (key_ == "channels" || key_ == "routes" || key_ == "node_names") refuse("a list");
        break;
      case Level::Routing:
        if (key_ == "vcs") refuse("a whole number");
        break;
      case Level::Route:
        if (key_ == "hops") refuse("a list");
        if (key_ == "src" || key_ == "dst") refuse("a whole number");
        break;
      case Level::Names:
        refuse("a text");
        break;
      case Level::Pair:
        refuse("a whole number");
        break;
      case Level::Channels:
      case Level::Hops:
        refuse("a list of two numbers");
        break;
      case Level::Routes:
        refuse("a map");
        break;
    }
    return !report_.full();
  }

  const common::JsonPlaces& places_;
  ImportReport& report_;
  FileParts& parts_;
  Level level_ = Level::Document;
  std::vector<Level> outer_;
  std::size_t skipped_ = 0;  ///< open values that are skipped
  std::string key_;
  std::vector<Number> pair_;
  std::size_t pair_at_ = 0;
};

/// Makes the table of the parts of a file, and reports what does not fit the topology.
class TableJsonReader {
 public:
  TableJsonReader(const FileParts& parts, const BaseTopology& topology, ImportReport& report)
      : parts_(parts), topology_(topology), report_(report), builder_(topology, report) {}

  RoutingTable read() {
    check_members();
    if (report_.failed()) return {};
    check_names();
    find_channels();
    for (const FileRoute& route : parts_.routes) add(route);
    return builder_.finish(static_cast<std::uint32_t>(parts_.vcs->value));
  }

 private:
  void check_members() {
    const auto require = [&](bool has, std::string_view name) {
      if (!has) report_.error(fmt::format("the file has no '{}'", name));
    };
    require(parts_.nodes.has_value(), "data.nodes");
    require(parts_.channels_at.has_value(), "data.channels");
    require(parts_.vcs.has_value(), "data.routing.vcs");
    require(parts_.routes_at.has_value(), "data.routes");
    if (parts_.nodes && parts_.nodes->value != topology_.n_nodes()) {
      report_.error(parts_.nodes->offset, fmt::format("{} has {} nodes, not {}", topology_.name(),
                                                      topology_.n_nodes(), parts_.nodes->value));
    }
    if (parts_.vcs && (parts_.vcs->value == 0 || parts_.vcs->value > kMaxTableVcs)) {
      report_.error(parts_.vcs->offset, fmt::format("'vcs' must be an integer from 1 to {}, not {}",
                                                    kMaxTableVcs, parts_.vcs->value));
    }
  }

  void check_names() {
    for (std::size_t i = 0; i < parts_.names.size(); ++i) {
      const auto& [name, offset] = parts_.names[i];
      if (i < topology_.node_names().size() && topology_.node_names()[i] == name) continue;
      const std::string here =
          i < topology_.n_nodes() ? topology_.node_name(static_cast<std::uint32_t>(i)) : "missing";
      report_.error(offset, fmt::format("node {} is {} here and {} in the topology", i,
                                        common::in_quotes(name), here));
    }
  }

  void find_channels() {
    std::map<Channel, std::uint32_t> lanes;  // parallel channels follow each other
    for (const NumberPair& pair : parts_.channels) {
      channels_.emplace_back();
      bool exists = true;
      for (const Number& end : pair)
        exists = is_within(end, "a node", topology_.n_nodes()) && exists;
      if (!exists) continue;
      const Channel channel{static_cast<std::uint32_t>(pair[0].value),
                            static_cast<std::uint32_t>(pair[1].value)};
      channels_.back() = topology_.find_channel(channel.src, channel.dst);
      if (channels_.back()) *channels_.back() += lanes[channel]++;
      if (channels_.back() && *channels_.back() < topology_.channels().size() &&
          topology_.channels()[*channels_.back()] == channel) {
        continue;
      }
      if (lanes[channel] > 1) {
        report_.error(
            pair[0].offset,
            fmt::format("the topology has only {} channel{} from {} to {}", lanes[channel] - 1,
                        lanes[channel] == 2 ? "" : "s", topology_.node_name(channel.src),
                        topology_.node_name(channel.dst)));
        channels_.back().reset();
        continue;
      }
      if (!channels_.back()) {
        report_.error(pair[0].offset, fmt::format("no channel of the topology leads from {} to {}",
                                                  topology_.node_name(channel.src),
                                                  topology_.node_name(channel.dst)));
      }
    }
  }

  bool is_within(const Number& number, std::string_view what, std::uint64_t count) {
    if (number.value < count) return true;
    report_.error(number.offset, count == 0
                                     ? fmt::format("{} {}: there is none", what, number.value)
                                     : fmt::format("{} must be an integer from 0 to {}, not {}",
                                                   what, count - 1, number.value));
    return false;
  }

  void add(const FileRoute& route) {
    for (const auto& [has, name] :
         {std::pair(route.src.has_value(), "src"), std::pair(route.dst.has_value(), "dst"),
          std::pair(route.hops_at.has_value(), "hops")}) {
      if (!has) report_.error(route.offset, fmt::format("the route has no '{}'", name));
    }
    if (!route.src || !route.dst || !route.hops_at) return builder_.add_unknown();
    const bool has_src = is_within(*route.src, "'src'", topology_.n_nodes());
    if (!is_within(*route.dst, "'dst'", topology_.n_nodes()) || !has_src) {
      return builder_.add_unknown();
    }
    const auto src = static_cast<std::uint32_t>(route.src->value);
    const auto dst = static_cast<std::uint32_t>(route.dst->value);
    bool broken = false;
    std::vector<PlacedHop> hops;
    for (const auto& [channel, vc] : route.hops) {
      const bool has_channel = is_within(channel, "a channel", channels_.size());
      if (!is_within(vc, "a virtual channel", parts_.vcs->value) || !has_channel ||
          !channels_[channel.value]) {
        broken = true;
      } else {
        hops.push_back(
            {{*channels_[channel.value], static_cast<std::uint32_t>(vc.value)}, channel.offset});
      }
    }
    broken ? builder_.add_broken(src, dst) : builder_.add(src, dst, route.offset, hops);
  }

  const FileParts& parts_;
  const BaseTopology& topology_;
  ImportReport& report_;
  TableBuilder builder_;
  std::vector<std::optional<std::uint32_t>> channels_;  ///< in the topology, by those of the file
};

}  // namespace

RoutingTable read_table_json(std::string_view text, const BaseTopology& topology,
                             ImportReport& report) {
  FileParts parts;
  common::JsonPlaces places;
  TableEvents events(places, report, parts);
  const char* const begin = text.data();
  const bool is_json = json::sax_parse(common::TrackedJson(begin, &places),
                                       common::TrackedJson(begin + text.size(), &places), &events);
  if (!is_json) return {};
  return TableJsonReader(parts, topology, report).read();
}

}  // namespace kernbench::topology::zoo
