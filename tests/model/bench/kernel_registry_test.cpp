// SPDX-License-Identifier: Apache-2.0
// Binds registered kernels to arguments, and refuses wrong ones.
#include "model/runtime/kernel_registry.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "common/registration.hpp"

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
