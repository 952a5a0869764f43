// SPDX-License-Identifier: Apache-2.0
#include "model/bench/random_data.hpp"

#include "common/random.hpp"

namespace kernbench::model::bench {

runtime::HostData uniform(data::DataType type, std::uint64_t rows, std::uint64_t columns,
                          std::uint64_t seed) {
  return [=] {
    common::Rng random = common::Rng::stream(seed, "tensor");
    const auto height = static_cast<Eigen::Index>(rows);
    const auto width = static_cast<Eigen::Index>(columns);
    if (is_floating(type)) {
      data::MatrixF values(height, width);
      for (Eigen::Index i = 0; i < values.size(); ++i) {
        // A float holds 24 bits exactly.
        values.data()[i] = static_cast<float>(random.bits64() >> 40U) * 0x1p-23F - 1.0F;
      }
      return data::Array::from(type, values);
    }
    data::MatrixI values(height, width);
    for (Eigen::Index i = 0; i < values.size(); ++i) {
      values.data()[i] = static_cast<std::int32_t>(random.bits64() >> 60U) - 8;
    }
    return data::Array::from(type, values);
  };
}

}  // namespace kernbench::model::bench
