// SPDX-License-Identifier: Apache-2.0
#include "model/bench/transformer/reference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace kernbench::model::bench::transformer {

namespace {

using Index = Eigen::Index;

MatrixD normed(const MatrixD& x, double epsilon) {
  MatrixD y = x;
  for (Index row = 0; row < x.rows(); ++row) {
    y.row(row) /= std::sqrt(x.row(row).squaredNorm() / static_cast<double>(x.cols()) + epsilon);
  }
  return y;
}

/// Rotates the pairs (i, i + size/2) of each head by their row's position.
void rotate(MatrixD& x, std::uint64_t head_size, double theta) {
  const auto size = static_cast<Index>(head_size);
  for (Index row = 0; row < x.rows(); ++row) {
    for (Index head = 0; head < x.cols(); head += size) {
      for (Index i = 0; i < size / 2; ++i) {
        const double angle =
            static_cast<double>(row) *
            std::pow(theta, -2.0 * static_cast<double>(i) / static_cast<double>(size));
        const double left = x(row, head + i);
        const double right = x(row, head + i + size / 2);
        x(row, head + i) = left * std::cos(angle) - right * std::sin(angle);
        x(row, head + i + size / 2) = right * std::cos(angle) + left * std::sin(angle);
      }
    }
  }
}

}  // namespace

MatrixD reference_attention(const ModelShape& shape, const MatrixD& q, const MatrixD& k,
                            const MatrixD& v) {
  const auto size = static_cast<Index>(shape.head_size);
  const auto group = static_cast<Index>(shape.heads / shape.kv_heads);
  MatrixD out(q.rows(), q.cols());
  for (Index head = 0; head < static_cast<Index>(shape.heads); ++head) {
    const Index kv = head / group * size;
    MatrixD scores = q.middleCols(head * size, size) * k.middleCols(kv, size).transpose() /
                     std::sqrt(static_cast<double>(size));
    for (Index row = 0; row < scores.rows(); ++row) {
      for (Index key = row + 1; key < scores.cols(); ++key) {
        scores(row, key) = -std::numeric_limits<double>::infinity();
      }
      scores.row(row) = (scores.row(row).array() - scores.row(row).maxCoeff()).exp();
      scores.row(row) /= scores.row(row).sum();
    }
    out.middleCols(head * size, size) = scores * v.middleCols(kv, size);
  }
  return out;
}

namespace {

/// The weights of a gated feed-forward layer.
struct FeedForwardWeights {
  MatrixD gate;
  MatrixD up;
  MatrixD down;
};

MatrixD feed_forward(const MatrixD& x, const FeedForwardWeights& weights) {
  const MatrixD gate = x * weights.gate;
  const MatrixD silu = gate.array() / (1.0 + (-gate.array()).exp());
  return (silu.array() * (x * weights.up).array()).matrix() * weights.down;
}

/// Returns the experts of the `used` largest logits, the first of equal ones.
std::vector<std::uint32_t> largest(const Eigen::RowVectorXd& logits, std::uint64_t used) {
  std::vector<std::uint32_t> experts(static_cast<std::size_t>(logits.size()));
  std::iota(experts.begin(), experts.end(), 0U);
  std::stable_sort(experts.begin(), experts.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return logits(a) > logits(b); });
  experts.resize(used);
  return experts;
}

/// The factor of each expert for each token, and the excess of the choices.
struct Gates {
  MatrixD factors;  ///< a column for each expert; 0 if it is not used
  std::vector<double> excess;
};

Gates gates_of(const MatrixD& logits, std::uint64_t used, const ExpertsOfSequence& given,
               std::uint64_t layer) {
  Gates gates{MatrixD::Zero(logits.rows(), logits.cols()), {}};
  for (Index row = 0; row < logits.rows(); ++row) {
    std::vector<std::uint32_t> experts = largest(logits.row(row), used);
    if (given.choice != nullptr) {
      const auto chosen = given.choice->of(layer, given.sequence, static_cast<std::uint64_t>(row));
      experts.assign(chosen.begin(), chosen.end());
    }
    Eigen::RowVectorXd others = logits.row(row);
    double least = std::numeric_limits<double>::infinity();
    double sum = 0.0;
    for (const std::uint32_t expert : experts) {
      others(expert) = -std::numeric_limits<double>::infinity();
      least = std::min(least, logits(row, expert));
      gates.factors(row, expert) = std::exp(logits(row, expert) - logits.row(row).maxCoeff());
      sum += gates.factors(row, expert);
    }
    gates.factors.row(row) /= sum;
    gates.excess.push_back(others.maxCoeff() - least);
  }
  return gates;
}

/// Returns the rows of x whose factor is not 0.
std::vector<Index> rows_with(const Eigen::VectorXd& factors) {
  std::vector<Index> rows;
  for (Index row = 0; row < factors.size(); ++row) {
    if (factors(row) != 0.0) rows.push_back(row);
  }
  return rows;
}

}  // namespace

ReferencePass reference_pass(const ModelShape& shape, const Weights& weights,
                             const std::vector<std::uint64_t>& tokens,
                             const ExpertsOfSequence& experts) {
  ReferencePass pass;
  const MatrixD embedding = to_doubles(weights.embedding()());
  MatrixD x(static_cast<Index>(tokens.size()), static_cast<Index>(shape.hidden));
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    x.row(static_cast<Index>(i)) = embedding.row(static_cast<Index>(tokens[i]));
  }
  for (std::uint64_t layer = 0; layer < shape.layers; ++layer) {
    const auto weight = [&](Weight which, std::uint64_t expert = 0) {
      return to_doubles(weights.layer(layer, which, expert)());
    };
    const auto feed_forward_of = [&](const MatrixD& rows, std::uint64_t expert) {
      return feed_forward(rows, {weight(Weight::Gate, expert), weight(Weight::Up, expert),
                                 weight(Weight::Down, expert)});
    };
    const MatrixD before = normed(x, shape.norm_epsilon);
    MatrixD q = before * weight(Weight::Query);
    MatrixD k = before * weight(Weight::Key);
    rotate(q, shape.head_size, shape.rope_theta);
    rotate(k, shape.head_size, shape.rope_theta);
    x += reference_attention(shape, q, k, before * weight(Weight::Value)) * weight(Weight::Output);
    const MatrixD after = normed(x, shape.norm_epsilon);
    if (shape.experts == 0) {
      x += feed_forward_of(after, 0);
      continue;
    }
    const Gates gates =
        gates_of(after * weight(Weight::Router), shape.experts_used, experts, layer);
    pass.excess.insert(pass.excess.end(), gates.excess.begin(), gates.excess.end());
    for (std::uint64_t expert = 0; expert < shape.experts; ++expert) {
      const auto column = static_cast<Index>(expert);
      const std::vector<Index> rows = rows_with(gates.factors.col(column));
      if (rows.empty()) continue;
      const MatrixD results = feed_forward_of(after(rows, Eigen::all), expert);
      for (std::size_t i = 0; i < rows.size(); ++i) {
        x.row(rows[i]) += gates.factors(rows[i], column) * results.row(static_cast<Index>(i));
      }
    }
  }
  pass.logits = normed(x, shape.norm_epsilon) * to_doubles(weights.output()());
  return pass;
}

runtime::CheckReport check_words(const std::vector<ChosenWords>& sequences, double tolerance,
                                 double share) {
  runtime::CheckReport report;
  std::uint64_t others = 0;
  for (const ChosenWords& sequence : sequences) {
    for (std::size_t i = 0; i < sequence.words.size(); ++i) {
      const auto row = sequence.logits.row(static_cast<Index>(i));
      const auto word = static_cast<Index>(sequence.words[i]);
      Index best = 0;
      const double missing = row.maxCoeff(&best) - row(word);
      ++report.elements;
      if (word == best) continue;
      if (others++ == 0) report.first_wrong = fmt::format("word {}, expected {}", word, best);
      report.worst = std::max(report.worst, missing / tolerance);
      if (missing > tolerance && report.wrong++ == 0) {
        report.first_wrong = fmt::format("word {}, expected {}", word, best);
      }
    }
  }
  const bool too_many = static_cast<double>(others) > share * static_cast<double>(report.elements);
  if (others > 1 && too_many) report.wrong = others;
  return report;
}

void check_experts(runtime::CheckReport& report, const std::vector<double>& excess,
                   double tolerance) {
  for (std::size_t i = 0; i < excess.size(); ++i) {
    ++report.elements;
    report.worst = std::max(report.worst, excess[i] / tolerance);
    if (excess[i] <= tolerance) continue;
    if (report.wrong++ == 0) {
      report.first_wrong = fmt::format("an expert whose logit is {} below a larger one", excess[i]);
    }
  }
}

}  // namespace kernbench::model::bench::transformer
