// SPDX-License-Identifier: Apache-2.0
#include "model/serving/requests.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "common/diagnostics.hpp"
#include "common/numbers.hpp"
#include "common/random.hpp"
#include "common/text_file.hpp"
#include "common/utf8.hpp"

namespace kernbench::model::serving {

using common::Rng;
using common::SimTime;

namespace {

constexpr std::string_view kHeader = "arrival_s,prompt,output";

__extension__ using Wide = unsigned __int128;

/// Returns an exponentially distributed time, by J. von Neumann's comparison of random numbers
/// (*Various techniques used in connection with random digits*, 1951). It needs no logarithm, whose
/// last bits differ between libraries.
SimTime exponential(Rng& random, SimTime mean) {
  for (std::int64_t whole = 0;; ++whole) {
    const std::uint64_t first = random.bits64();
    bool odd = true;  // the length of the descending run that begins with `first`
    for (std::uint64_t last = first;; odd = !odd) {
      const std::uint64_t next = random.bits64();
      if (next >= last) break;
      last = next;
    }
    if (!odd) continue;
    const Wide part = Wide{first} * static_cast<std::uint64_t>(mean.ps());
    return mean * whole + SimTime::from_ps(static_cast<std::int64_t>(part >> 64U));
  }
}

/// Draws lengths, request by request.
class Lengths {
 public:
  explicit Lengths(const DrawnLengths& lengths)
      : lengths_(lengths), random_(Rng::stream(lengths.seed, "lengths of requests")) {}
  Request next(SimTime arrival) {
    const std::uint64_t prompt = 1 + random_.below(2 * lengths_.prompt - 1);
    const std::uint64_t output = 1 + random_.below(2 * lengths_.output - 1);
    return {arrival, prompt, output};
  }

 private:
  DrawnLengths lengths_;
  Rng random_;
};

/// Reads the lines of a CSV file.
class RequestReader {
 public:
  RequestReader(std::string_view text, const std::string& name) : text_(text), name_(name) {
    errors_.add_source(name, text);
  }

  std::vector<Request> read() {
    if (text_.empty()) {
      error(0, fmt::format("the file is empty: expected the header '{}'", kHeader));
    } else if (const std::string_view head = next_line(); head != kHeader) {
      error(1, fmt::format("the header must be '{}', not {}", kHeader, common::in_quotes(head)));
    }
    while (!text_.empty()) read_row(next_line());
    if (errors_.empty() && requests_.empty()) error(0, "the file has no requests");
    errors_.throw_if_any();
    return std::move(requests_);
  }

 private:
  std::string_view next_line() {
    ++line_;
    const std::size_t end = std::min(text_.find('\n'), text_.size());
    std::string_view line = text_.substr(0, end);
    text_.remove_prefix(std::min(end + 1, text_.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    return line;
  }

  void read_row(std::string_view line) {
    const auto commas = std::count(line.begin(), line.end(), ',');
    if (commas != 2) {
      error(1, line.empty()
                   ? fmt::format("an empty line; every line must be '{}'", kHeader)
                   : fmt::format("a line must have 3 values, '{}', not {}", kHeader, commas + 1));
      return;
    }
    std::array<std::string_view, 3> values;
    std::array<unsigned, 3> columns{1, 1, 1};
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::size_t end = std::min(line.find(',', columns[i] - 1), line.size());
      values[i] = line.substr(columns[i] - 1, end - (columns[i] - 1));
      if (i + 1 < columns.size()) columns[i + 1] = static_cast<unsigned>(end + 2);
    }
    const std::optional<SimTime> arrival = arrival_of(values[0]);
    const std::optional<std::uint64_t> prompt =
        tokens_of("prompt", values[1], columns[1], kMostPrompt);
    const std::optional<std::uint64_t> output =
        tokens_of("output", values[2], columns[2], kMostTokens);
    if (arrival && prompt && output) requests_.push_back({*arrival, *prompt, *output});
  }

  std::optional<SimTime> arrival_of(std::string_view text) {
    const std::optional<double> seconds = common::parse_double(text);
    if (!seconds || !(*seconds >= 0.0 && *seconds <= kMostSeconds)) {
      error(1, fmt::format("'arrival_s' must be a number from 0 to {:.0f}, not {}", kMostSeconds,
                           common::in_quotes(text)));
      return std::nullopt;
    }
    const SimTime arrival = SimTime::from_ns(*seconds * 1e9);
    if (arrival < latest_) {
      error(1,
            fmt::format("a request arrives before the one above: sort the lines by 'arrival_s'"));
    }
    latest_ = std::max(latest_, arrival);
    return arrival;
  }

  std::optional<std::uint64_t> tokens_of(std::string_view what, std::string_view text,
                                         unsigned column, std::uint64_t most) {
    const std::optional<std::uint64_t> tokens = common::parse_u64(text);
    if (tokens && *tokens >= 1 && *tokens <= most) return tokens;
    error(column, fmt::format("'{}' must be an integer from 1 to {}, not {}", what, most,
                              common::in_quotes(text)));
    return std::nullopt;
  }

  void error(unsigned column, std::string message) {
    errors_.error({name_, column == 0 ? 0 : line_, column}, std::move(message));
  }

  std::string_view text_;
  std::string name_;
  unsigned line_ = 0;
  SimTime latest_;
  std::vector<Request> requests_;
  common::Diagnostics errors_;
};

}  // namespace

std::vector<Request> draw_requests(const DrawnLengths& lengths, SimTime gap, SimTime duration) {
  Rng arrivals = Rng::stream(lengths.seed, "arrivals of requests");
  Lengths drawn(lengths);
  std::vector<Request> requests;
  for (SimTime now = exponential(arrivals, gap); now < duration;
       now += exponential(arrivals, gap)) {
    requests.push_back(drawn.next(now));
  }
  return requests;
}

std::vector<Request> draw_backlog(const DrawnLengths& lengths, std::size_t count) {
  Lengths drawn(lengths);
  std::vector<Request> requests;
  for (std::size_t i = 0; i < count; ++i) requests.push_back(drawn.next(SimTime()));
  return requests;
}

std::vector<Request> read_requests(const std::filesystem::path& path) {
  return parse_requests(common::read_text_file(path), path.string());
}

std::vector<Request> parse_requests(std::string_view text, const std::string& name) {
  return RequestReader(text, name).read();
}

}  // namespace kernbench::model::serving
