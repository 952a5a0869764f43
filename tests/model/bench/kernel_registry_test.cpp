// SPDX-License-Identifier: Apache-2.0
// Binds registered kernels to arguments, and refuses wrong ones.
#include "model/runtime/kernel_registry.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "common/registration.hpp"
#include "model/bench/runner.hpp"
#include "topology/graph/compile.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::runtime {
namespace {

using ::testing::ElementsAre;

/// The arguments of the last call of the kernel below.
struct Seen {
  std::uint64_t rows = 0;
  std::uint64_t count = 0;
  double factor = 0.0;
};
Seen g_seen;

void note(kernel::Tl& /*tl*/, const TensorView& x, std::uint64_t count, double factor) {
  g_seen = {x.rows(), count, factor};
}

const KernelRegistration kNote{"test-note", "notes its arguments", {"x", "count", "factor"}, note};

TensorView view() {
  return {0, data::DataType::F32, Layout(7, 3, {}, 1, 1)};
}

KernelBody bind_kernel(std::string_view name, std::vector<KernelArgument> arguments) {
  const RegisteredKernel& kernel = *find_kernel(name);
  return kernel.bind(checked_arguments(kernel, std::move(arguments)));
}

std::string refusal(std::string_view name, std::vector<KernelArgument> arguments) {
  try {
    (void)bind_kernel(name, std::move(arguments));
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "bound";
}

TEST(KernelRegistry, PassesArgumentsInTheOrderOfTheFunction) {
  const KernelBody body = bind_kernel("test-note", {view(), std::uint64_t{5}, 0.5});
  // The kernel does not use it.
  alignas(kernel::Tl) std::array<std::byte, sizeof(kernel::Tl)> nothing{};
  body(*reinterpret_cast<kernel::Tl*>(nothing.data()));
  EXPECT_EQ(g_seen.rows, 7U);
  EXPECT_EQ(g_seen.count, 5U);
  EXPECT_EQ(g_seen.factor, 0.5);
  bind_kernel("test-note", {view(), std::uint64_t{1}, std::uint64_t{3}})(
      *reinterpret_cast<kernel::Tl*>(nothing.data()));
  EXPECT_EQ(g_seen.factor, 3.0);
}

TEST(KernelRegistry, SaysWhatIsWrongWithArguments) {
  const std::string signature = "kernel test-note(tensor x, whole number count, number factor)";
  EXPECT_EQ(refusal("test-note", {view()}), signature + " has 3 arguments, not 1");
  EXPECT_EQ(refusal("test-note", {view(), 1.5, 2.0}),
            signature + ": argument 2 is a number, not a whole number");
  EXPECT_EQ(refusal("test-note", {std::uint64_t{1}, std::uint64_t{1}, 2.0}),
            signature + ": argument 1 is a whole number, not a tensor");
  EXPECT_EQ(refusal("test-note", {view(), std::uint64_t{1}, view()}),
            signature + ": argument 3 is a tensor, not a number");
  EXPECT_EQ(find_kernel("sotfmax"), nullptr);
}

/// Launches a kernel of this name by a bench. Returns the times of its launches.
std::vector<std::int64_t> times_of(const char* name) {
  static const char* kName;
  kName = name;
  bench::RunOptions options;
  options.verify = true;
  const bench::RunResult result = bench::run_bench(
      {"test",
       "",
       {},
       [](Context& kb) {
         const DpPolicy rows{Placement::RowWise, Placement::RowWise};
         const auto ones = [] {
           return data::Array::from(data::DataType::F32,
                                    data::MatrixF(data::MatrixF::Constant(1024, 256, 1)));
         };
         const Tensor x = kb.tensor(1024, 256, data::DataType::F32, rows, ones);
         const Tensor y = kb.tensor(1024, 256, data::DataType::F32, rows, ones);
         const Tensor z = kb.tensor(1024, 256, data::DataType::F32, rows);
         kb.launch(kName, {x->view(), y->view(), z->view()});
         kb.expect("z", kb.read(z), [] {
           return data::Array::from(data::DataType::F32,
                                    data::MatrixF(data::MatrixF::Constant(1024, 256, 2)));
         });
       }},
      topology::compile_topology({}), options);
  EXPECT_EQ(result.checks.at(0).wrong, 0U);
  std::vector<std::int64_t> times;
  for (const LaunchRecord& launch : result.launches) {
    times.push_back((launch.end - launch.start).ps());
  }
  return times;
}

TEST(KernelRegistry, AHostInCppLaunchesAKernelByItsName) {
  const bench::RunResult by_bench =
      bench::run_bench(bench::find_bench("vector-add"), topology::compile_topology({}), {});
  const LaunchRecord& launch = by_bench.launches.at(0);
  EXPECT_THAT(times_of("vector-add"), ElementsAre((launch.end - launch.start).ps()));
  EXPECT_THAT([] { (void)times_of("vector-ad"); },
              ::testing::ThrowsMessage<std::exception>(::testing::HasSubstr(
                  "sip0.cube0.pe0.pe_cpu: unknown kernel 'vector-ad': use gemm, softmax, "
                  "test-note, vector-add; did you mean 'vector-add'?")));
  EXPECT_THAT([] { (void)times_of("softmax"); },
              ::testing::ThrowsMessage<std::exception>(::testing::HasSubstr(
                  "kernel softmax(tensor x, tensor y, whole number rows_at_once): argument 3 is a "
                  "tensor, not a whole number")));
}

TEST(KernelRegistry, RefusesNamesThatAreTakenOrNotInKebabCase) {
  const common::RegistrationErrors errors;
  const KernelRegistration taken{"gemm", "", {"x", "count", "factor"}, note};
  const KernelRegistration camel{"TestNote", "", {"x", "count", "factor"}, note};
  EXPECT_THAT(errors.messages(), ElementsAre("the kernel name 'gemm' is already registered",
                                             "the kernel name 'TestNote' is not in kebab-case"));
  EXPECT_TRUE(std::is_sorted(kernels().begin(), kernels().end(),
                             [](const auto& a, const auto& b) { return a.name < b.name; }));
}

}  // namespace
}  // namespace kernbench::model::runtime
