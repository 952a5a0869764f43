#include "model/runtime/session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/context/fiber.hpp>
#include <exception>
#include <utility>

#include "model/engine/fiber.hpp"
#include "model/kernel/kernel_error.hpp"
#include "model/kernel/pe_executor.hpp"

namespace kernbench::model::runtime {

namespace {

std::string name_of(const memory::PeLocation& pe) {
  return fmt::format("sip{}.cube{}.pe{}", pe.sip, pe.cube, pe.pe);
}

}  // namespace

Session::Session(components::Machine& machine, data::Recorder& recorder)
    : machine_(machine),
      recorder_(recorder),
      addresses_(machine.spec().cube.memory_map.page_bytes) {
  const topology::TopologySpec& spec = machine.spec();
  const std::size_t pes = std::size_t{spec.system.sips} * spec.sip.cubes() * spec.cube.pes();
  allocators_.resize(pes);
  running_.resize(pes);
  running_names_.resize(pes);
}

memory::PeAllocator& Session::allocator(const memory::PeLocation& pe) {
  const topology::TopologySpec& spec = machine_.spec();
  const std::size_t index =
      (std::size_t{pe.sip} * spec.sip.cubes() + pe.cube) * spec.cube.pes() + pe.pe;
  std::unique_ptr<memory::PeAllocator>& allocator = allocators_.at(index);
  if (!allocator) allocator = std::make_unique<memory::PeAllocator>(spec, pe);
  return *allocator;
}

void Session::register_kernel(const std::string& name) {
  if (std::find(kernels_.begin(), kernels_.end(), name) != kernels_.end()) return;
  machine_.kernels().add(name, [this, name](const components::KernelContext& context) {
    return run_kernel(name, context);
  });
  kernels_.push_back(name);
}

engine::Process Session::run_kernel(const std::string& name,
                                    const components::KernelContext& context) {
  const auto body = [this, &name, &context](engine::Fiber& fiber) {
    const auto& launch = *static_cast<const LaunchArguments*>(context.arguments.get());
    kernel::ProgramPlace place = launch.grid;
    place.pe = context.pe.pe;
    place.cube = context.pe.cube;
    kernel::PeExecutor executor(machine_, context, place, allocator(context.pe), recorder_, fiber);
    kernel::Tl tl(executor);
    const topology::TopologySpec& spec = machine_.spec();
    const std::size_t index =
        (std::size_t{context.pe.sip} * spec.sip.cubes() + context.pe.cube) * spec.cube.pes() +
        context.pe.pe;
    running_[index] = &tl;
    running_names_[index] = fmt::format("{} on {}", name, name_of(context.pe));
    try {
      launch.body(tl);
    } catch (const kernel::KernelError& error) {
      throw KernelFailure(
          fmt::format("kernel '{}' on {}: {}", name, name_of(context.pe), error.what()));
    } catch (const std::exception& error) {
      const std::string last = tl.last_operation();
      throw KernelFailure(fmt::format(
          "kernel '{}' on {} threw {}: {}", name, name_of(context.pe),
          last.empty() ? "before its first operation" : fmt::format("after tl.{}", last),
          error.what()));
    }
    running_[index] = nullptr;
  };
  engine::Process process = engine::run_on_fiber(body);
  co_await std::move(process);
}

std::vector<std::string> Session::running() const {
  std::vector<std::string> list;
  for (std::size_t i = 0; i < running_.size(); ++i) {
    if (running_[i] == nullptr) continue;
    const std::string last = running_[i]->last_operation();
    list.push_back(
        fmt::format("{}: {}", running_names_[i], last.empty() ? "no operation yet" : "tl." + last));
  }
  return list;
}

}  // namespace kernbench::model::runtime
