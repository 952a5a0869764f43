#include "model/runtime/session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <string_view>
#include <utility>

#include "model/engine/fiber.hpp"
#include "model/kernel/kernel_error.hpp"
#include "model/kernel/pe_executor.hpp"

namespace kernbench::model::runtime {

namespace {

std::string name_of(const memory::PeLocation& pe) {
  return fmt::format("sip{}.cube{}.pe{}", pe.sip, pe.cube, pe.pe);
}

std::size_t pes_of(const topology::TopologySpec& spec) {
  return std::size_t{spec.system.sips} * spec.sip.cubes() * spec.cube.pes();
}

}  // namespace

Session::Session(components::Machine& machine, data::Recorder& recorder)
    : machine_(machine),
      recorder_(recorder),
      addresses_(machine.spec().cube.memory_map.page_bytes),
      allocators_(pes_of(machine.spec())),
      activities_(pes_of(machine.spec())) {}

std::size_t Session::index_of(const memory::PeLocation& pe) const {
  const topology::TopologySpec& spec = machine_.spec();
  return (std::size_t{pe.sip} * spec.sip.cubes() + pe.cube) * spec.cube.pes() + pe.pe;
}

memory::PeAllocator& Session::allocator(const memory::PeLocation& pe) {
  std::unique_ptr<memory::PeAllocator>& allocator = allocators_.at(index_of(pe));
  if (!allocator) allocator = std::make_unique<memory::PeAllocator>(machine_.spec(), pe);
  return *allocator;
}

void Session::install_neighbors(const std::vector<components::NeighborLink>& links,
                                std::optional<topology::SlotBacking> backing) {
  components::install_neighbors(machine_, links, backing);
  const topology::PeSpec& pe = spec().pe;
  const std::uint64_t ring = pe.pe_ipcq_ring_bytes();
  for (const components::NeighborLink& link : links) {
    for (const memory::PeLocation& end : {link.a, link.b}) {
      switch (backing.value_or(pe.pe_ipcq_backing)) {
        case topology::SlotBacking::Tcm:
          allocator(end).reserve_tcm_end(ring);
          break;
        case topology::SlotBacking::Hbm:
          allocator(end).reserve_hbm_end(ring);
          break;
        case topology::SlotBacking::Sram:  // which nobody gives out
          break;
      }
    }
  }
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
    kernel::Activity& activity = activities_[index_of(context.pe)];
    activity.begin(name.c_str());
    const auto fail = [&](std::string_view what) {
      return KernelFailure(fmt::format("kernel '{}' on {}{}", name, name_of(context.pe), what));
    };
    const auto thrown = [&](std::string_view what) {
      const std::string last = activity.last_operation();
      return fail(fmt::format(" threw {}: {}",
                              last.empty() ? "before its first operation" : "after " + last, what));
    };
    kernel::PeExecutor executor(machine_, context, place, allocator(context.pe), recorder_, fiber,
                                activity);
    kernel::Tl tl(executor);
    try {
      launch.body(tl);
      tl.end();
    } catch (const kernel::KernelError& error) {
      throw fail(fmt::format(": {}", error.what()));
    } catch (const std::exception& error) {
      throw thrown(error.what());
    } catch (...) {
      if (fiber.abandoned()) throw;
      throw thrown("something that is no std::exception");
    }
    activity.end();
  };
  engine::Process process = engine::run_on_fiber(body);
  co_await std::move(process);
}

std::vector<std::string> Session::running() const {
  std::vector<std::string> list;
  const topology::TopologySpec& spec = machine_.spec();
  for (const bool computing : {true, false}) {
    for (std::size_t i = 0; i < activities_.size(); ++i) {
      const std::string kernel = activities_[i].kernel();
      if (kernel.empty() || activities_[i].computing() != computing) continue;
      const auto cube = static_cast<std::uint32_t>(i / spec.cube.pes());
      const memory::PeLocation pe{cube / spec.sip.cubes(), cube % spec.sip.cubes(),
                                  static_cast<std::uint32_t>(i % spec.cube.pes())};
      const std::string last = activities_[i].last_operation();
      list.push_back(fmt::format("kernel '{}' on {}: {}{}", kernel, name_of(pe),
                                 computing ? "computes after " : "",
                                 last.empty() ? "no operation" : last));
    }
  }
  return list;
}

}  // namespace kernbench::model::runtime
