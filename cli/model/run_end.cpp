// SPDX-License-Identifier: Apache-2.0
#include "cli/model/run_end.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <stdexcept>

#include "cli/base/console.hpp"
#include "common/crash_handler.hpp"
#include "common/temporary_files.hpp"
#include "model/bench/runner.hpp"
#include "model/data/memory_store.hpp"
#include "model/engine/fiber.hpp"

namespace kernbench::cli {

using common::Outcome;

void report_kernel_crashes() {
  common::report_crashes([](const void* address, common::CrashScene& scene) {
    const model::engine::Fiber* const fiber = model::engine::Fiber::running();
    if (fiber == nullptr) return;
    if (address != nullptr && fiber->is_in_guard_page(address)) {
      scene.stack_bytes = fiber->stack_bytes();
    }
    if (fiber->work() != nullptr) {
      scene.user_code = fiber->work()->describe_crash(scene.who);
    } else {
      scene.who.add("the host's part of the bench crashed");
    }
  });
}

common::Outcome outcome_of_benches(std::string_view prefix, const std::function<Outcome()>& work) {
  const auto failed = [prefix](const std::exception& error, Outcome outcome) {
    print_error(std::string(prefix) + error.what());
    return outcome;
  };
  report_kernel_crashes();
  try {
    return work();
  } catch (const std::invalid_argument& error) {
    print_error(error.what());
    return Outcome::BadInput;
  } catch (const model::bench::NothingSubmitted& error) {
    print_error(error.what());
    return Outcome::Vacuous;
  } catch (const model::bench::TimeLimitReached& error) {
    return failed(error, Outcome::Timeout);
  } catch (const model::bench::RunDeadlocked& error) {
    return failed(error, Outcome::Deadlock);
  } catch (const model::bench::RunFailed& error) {
    return failed(error, Outcome::Mismatch);
  } catch (const model::data::ReplayError& error) {
    return failed(error, Outcome::Mismatch);
  }
}

void end_by_host_timeout(const std::string& what) {
  print_error(what);
  std::fflush(stderr);
  common::remove_temporary_files();
  std::_Exit(common::exit_code(Outcome::Timeout));
}

}  // namespace kernbench::cli
