// SPDX-License-Identifier: Apache-2.0
#include "cli/run_end.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <stdexcept>

#include "cli/console.hpp"
#include "common/temporary_files.hpp"
#include "model/bench/runner.hpp"
#include "model/data/memory_store.hpp"

namespace kernbench::cli {

using common::Outcome;

common::Outcome outcome_of_benches(std::string_view prefix, const std::function<Outcome()>& work) {
  const auto failed = [prefix](const std::exception& error, Outcome outcome) {
    print_error(std::string(prefix) + error.what());
    return outcome;
  };
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
