// SPDX-License-Identifier: Apache-2.0
#include "model/ccl/contract_check.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <numeric>

namespace kernbench::model::ccl {

using data::Array;
using data::DataType;

namespace {

/// Returns half the distance from 1 to the next number of a floating-point type.
double rounding_unit(DataType type) {
  switch (type) {
    case DataType::F16:
      return 0x1p-11;
    case DataType::BF16:
      return 0x1p-8;
    default:
      return 0x1p-24;
  }
}

Array block_of(const Array& whole, const std::vector<std::uint64_t>& rows, std::uint32_t block) {
  const std::uint64_t first = std::accumulate(rows.begin(), rows.begin() + block, std::uint64_t{0});
  return whole.block(first, 0, rows[block], whole.columns());
}

/// Returns the summands of an output block: one for each cube of each source, or the only source.
std::vector<Array> summands(const Collective& collective, const std::vector<Source>& sources,
                            const std::vector<MemberData>& members) {
  std::vector<Array> list;
  for (const Source& source : sources) {
    const MemberData& from = members[source.member];
    for (const Array& copy : from.before) {
      list.push_back(block_of(copy, from.input_rows, source.block));
      if (!collective.sums) break;
    }
  }
  return list;
}

/// Counts the elements of a block that differ from the contract.
class Comparison {
 public:
  explicit Comparison(runtime::CheckReport& report) : report_(report) {}

  void bits(const Array& found, const Array& expected, const std::string& where) {
    report_.elements += found.rows() * found.columns();
    if (found == expected) return;
    const data::MatrixF x = found.to_floats();
    const data::MatrixF e = expected.to_floats();
    const std::size_t size = whole_bytes_of(found.type());
    for (Eigen::Index i = 0; i < x.size(); ++i) {
      const auto at = static_cast<std::size_t>(i) * size;
      const auto begin = static_cast<std::ptrdiff_t>(at);
      const bool same =
          std::equal(found.bytes().begin() + begin,
                     found.bytes().begin() + begin + static_cast<std::ptrdiff_t>(size),
                     expected.bytes().begin() + begin);
      if (!same) wrong(where, i, x.cols(), x.data()[i], e.data()[i]);
    }
  }

  void sums(const Array& found, const std::vector<Array>& terms, const std::string& where) {
    report_.elements += found.rows() * found.columns();
    const double others = static_cast<double>(terms.size()) - 1.0;
    const double u = rounding_unit(found.type());
    const double gamma = others * u / (1.0 - others * u);
    const data::MatrixF x = found.to_floats();
    std::vector<double> exact(static_cast<std::size_t>(x.size()));
    std::vector<double> magnitude(exact.size());
    for (const Array& term : terms) {
      const data::MatrixF values = term.to_floats();
      for (std::size_t i = 0; i < exact.size(); ++i) {
        const auto value = static_cast<double>(values.data()[i]);
        exact[i] += value;
        magnitude[i] += std::abs(value);
      }
    }
    for (std::size_t i = 0; i < exact.size(); ++i) {
      const auto value = static_cast<double>(x.data()[i]);
      const double allowed = gamma * magnitude[i];
      const double away = std::abs(value - exact[i]);
      const bool same = value == exact[i] || (std::isnan(value) && std::isnan(exact[i]));
      if (!same && !(away <= allowed)) {
        wrong(where, static_cast<Eigen::Index>(i), x.cols(), value, exact[i]);
      }
      if (!same && allowed > 0.0) report_.worst = std::max(report_.worst, away / allowed);
    }
  }

 private:
  void wrong(const std::string& where, Eigen::Index i, Eigen::Index columns, double found,
             double expected) {
    if (report_.wrong++ != 0) return;
    report_.first_wrong = fmt::format("{} [{}, {}]: {}, expected {}", where, i / columns,
                                      i % columns, found, expected);
  }

  runtime::CheckReport& report_;
};

Array integer_sum(const std::vector<Array>& terms) {
  data::MatrixI sum = terms.front().to_integers();
  for (std::size_t k = 1; k < terms.size(); ++k) {
    const data::MatrixI term = terms[k].to_integers();
    for (Eigen::Index i = 0; i < sum.size(); ++i) {
      const auto wrapped =
          static_cast<std::uint32_t>(sum.data()[i]) + static_cast<std::uint32_t>(term.data()[i]);
      sum.data()[i] = static_cast<std::int32_t>(wrapped);
    }
  }
  return Array::from(terms.front().type(), sum);
}

}  // namespace

runtime::CheckReport check_contract(const std::string& name, const Collective& collective,
                                    const CallShape& call, std::uint32_t member,
                                    const std::vector<MemberData>& members) {
  runtime::CheckReport report;
  report.name = name;
  Comparison comparison(report);
  const MemberData& own = members[member];
  for (std::size_t cube = 1; cube < own.before.size() && !collective.sums; ++cube) {
    comparison.bits(own.before[cube], own.before[0],
                    fmt::format("input of cube {} against cube 0", cube));
  }
  for (std::uint32_t block = 0; block < own.output_rows.size() && !own.after.empty(); ++block) {
    const std::vector<Array> terms =
        summands(collective, collective.after(member, block, call), members);
    const std::string where = fmt::format("block {}", block);
    const Array first = block_of(own.after[0], own.output_rows, block);
    const bool rounds = collective.sums && is_floating(first.type()) && terms.size() > 1;
    if (rounds) {
      comparison.sums(first, terms, where);
    } else {
      comparison.bits(first, terms.size() == 1 ? terms[0] : integer_sum(terms), where);
    }
    for (std::size_t cube = 1; cube < own.after.size(); ++cube) {
      comparison.bits(block_of(own.after[cube], own.output_rows, block), first,
                      fmt::format("{} of cube {} against cube 0,", where, cube));
    }
  }
  for (std::size_t other = 0; other < members.size() && collective.waits; ++other) {
    ++report.elements;
    if (own.end >= members[other].begin || report.wrong++ != 0) continue;
    report.first_wrong = fmt::format("returns at {} ps, but member {} calls at {} ps", own.end.ps(),
                                     other, members[other].begin.ps());
  }
  return report;
}

}  // namespace kernbench::model::ccl
