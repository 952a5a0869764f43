// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/base/command.hpp"
#include "cli/base/console.hpp"
#include "cli/base/options.hpp"
#include "cli/rtl/bisect_options.hpp"
#include "cli/rtl/failure_file.hpp"
#include "cli/rtl/judge_case.hpp"
#include "common/child_process.hpp"
#include "common/diagnostics.hpp"
#include "common/outcome.hpp"
#include "common/temporary_files.hpp"
#include "common/text_file.hpp"

namespace kernbench::cli {
namespace {

namespace fs = std::filesystem;
using common::BadInput;
using common::Outcome;

/// The exit code that `git bisect run` takes for a revision that cannot be judged.
constexpr int kCannotJudge = 125;
constexpr std::size_t kLongestList = std::size_t{16} << 20U;

struct BisectOptions {
  std::string good;
  std::string bad;
  std::string failure;
  bool only_here = false;  ///< judge the current folder, for `git bisect run`
  std::string over;        ///< values of an option, in place of commits
};

/// A Git repository. Nothing of it is changed but the list of its worktrees.
class Repository {
 public:
  explicit Repository(const common::TemporaryFolder& scratch)
      : scratch_(scratch), top_(line({"rev-parse", "--show-toplevel"})) {
    here_ = fs::relative(fs::current_path(), top_);
  }

  /// Returns the output of a call of git. Throws BadInput with its message if it fails.
  [[nodiscard]] std::string git(std::vector<std::string> words, const fs::path& folder = {}) const {
    words.insert(words.begin(), "git");
    const fs::path log = fs::path(scratch_.path()) / "git.log";
    const common::ChildEnd end = common::run_program(
        {.words = words, .folder = folder, .log = log, .environment = {{"GIT_DIR", ""}}});
    std::string text = common::read_text_file(log.string(), kLongestList);
    if (end.exit_code == 0) return text;
    while (!text.empty() && text.back() == '\n') text.pop_back();
    throw BadInput(fmt::format("git {}: {}", words.at(1), text));
  }
  [[nodiscard]] std::string line(const std::vector<std::string>& words) const {
    const std::string text = git(words);
    return text.substr(0, text.find('\n'));
  }
  [[nodiscard]] std::vector<std::string> lines(const std::vector<std::string>& words) const {
    std::vector<std::string> lines;
    const std::string text = git(words);
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      if (end != at) lines.push_back(text.substr(at, end - at));
      at = end + 1;
    }
    return lines;
  }

  [[nodiscard]] const std::string& top() const { return top_; }
  /// Returns the current folder below the top of the repository.
  [[nodiscard]] const fs::path& here() const { return here_; }

 private:
  const common::TemporaryFolder& scratch_;
  std::string top_;
  fs::path here_;
};

/// A worktree in a temporary folder. The user's is never touched.
class Worktree {
 public:
  Worktree(const Repository& repository, const common::TemporaryFolder& scratch,
           const std::string& commit)
      : repository_(repository), path_(fs::path(scratch.path()) / "tree") {
    (void)repository_.git({"worktree", "add", "--detach", "--force", path_.string(), commit});
  }
  ~Worktree() {
    try {
      (void)repository_.git({"worktree", "remove", "--force", path_.string()});
    } catch (const std::exception& error) {
      print_error(fmt::format("the worktree {} is left: {}", path_.string(), error.what()));
    }
  }
  Worktree(const Worktree&) = delete;
  Worktree& operator=(const Worktree&) = delete;

  void check_out(const std::string& commit) const {
    (void)repository_.git({"checkout", "--detach", "--force", "--quiet", commit}, path_);
  }
  [[nodiscard]] fs::path here() const { return path_ / repository_.here(); }

 private:
  const Repository& repository_;
  fs::path path_;
};

/// The search for the first bad commit.
class Bisection {
 public:
  Bisection(const BisectOptions& options, const Invocation& invocation)
      : options_(options),
        invocation_(invocation),
        failure_(read_failure(options.failure)),
        scratch_(fs::temp_directory_path() / "kernbench-bisect"),
        repository_(scratch_) {
    (void)options_of(failure_, options.failure, invocation);
  }

  Outcome run() {
    require_clean();
    const std::string good = commit_of(options_.good);
    const std::string bad = commit_of(options_.bad);
    std::vector<std::string> commits =
        repository_.lines({"rev-list", "--reverse", "--ancestry-path", good + ".." + bad});
    if (commits.empty()) {
      throw BadInput(fmt::format("{} is not an ancestor of {}: there is no commit between them",
                                 options_.good, options_.bad));
    }
    commits.insert(commits.begin(), good);
    const Worktree tree(repository_, scratch_, good);
    require(tree, commits.front(), Verdict::Good, options_.good, "passes");
    require(tree, commits.back(), Verdict::Bad, options_.bad, "fails");
    return search(tree, std::move(commits));
  }

  [[nodiscard]] Verdict here() const {
    return judge(failure_.words, invocation_, fs::current_path(), scratch_);
  }

 private:
  void require_clean() const {
    const std::vector<std::string> changed =
        repository_.lines({"status", "--porcelain", "--untracked-files=no"});
    if (changed.empty()) return;
    throw BadInput(fmt::format("{} has uncommitted changes, which no commit has: {}",
                               repository_.top(), changed.front().substr(3)));
  }
  [[nodiscard]] std::string commit_of(const std::string& name) const {
    return repository_.line({"rev-parse", "--verify", "--end-of-options", name + "^{commit}"});
  }
  Verdict try_commit(const Worktree& tree, const std::string& commit) const {
    tree.check_out(commit);
    const Verdict verdict = judge(failure_.words, invocation_, tree.here(), scratch_);
    print("{:<10}  {}\n", text_of(verdict), title_of(commit));
    std::fflush(stdout);
    return verdict;
  }
  [[nodiscard]] std::string title_of(const std::string& commit) const {
    return repository_.line({"log", "-1", "--format=%h %s", commit});
  }
  void require(const Worktree& tree, const std::string& commit, Verdict wanted,
               const std::string& name, const char* words) const {
    if (try_commit(tree, commit) == wanted) return;
    throw BadInput(fmt::format("the case has to be one that {} at {}, and is not", words, name));
  }

  /// The first of `commits` is good, the last is bad.
  Outcome search(const Worktree& tree, std::vector<std::string> commits) const {
    std::size_t good = 0;
    std::size_t bad = commits.size() - 1;
    std::vector<bool> unknown(commits.size());
    while (true) {
      // The middle, or the nearest to it that can be judged.
      std::optional<std::size_t> next;
      const std::size_t middle = good + (bad - good) / 2;
      for (std::size_t away = 0; away < bad - good && !next; ++away) {
        for (const std::size_t at : {middle - std::min(away, middle), middle + away}) {
          if (at > good && at < bad && !unknown[at]) next = at;
        }
      }
      if (!next) break;
      const Verdict verdict = try_commit(tree, commits[*next]);
      if (verdict == Verdict::Unknown) {
        unknown[*next] = true;
      } else {
        (verdict == Verdict::Good ? good : bad) = *next;
      }
    }
    if (bad - good == 1) {
      print("first that fails: {}\n", title_of(commits[bad]));
      return Outcome::Pass;
    }
    print("one of these is the first that fails; those before the last cannot be judged:\n");
    for (std::size_t i = good + 1; i <= bad; ++i) print("  {}\n", title_of(commits[i]));
    return Outcome::Vacuous;
  }

  const BisectOptions& options_;
  const Invocation& invocation_;
  FailureFile failure_;
  common::TemporaryFolder scratch_;
  Repository repository_;
};

}  // namespace

void add_bisect_command(Command& program, const Invocation& invocation) {
  const auto options = std::make_shared<BisectOptions>();
  Command& bisect = program.add_command(
      "bisect", "Find the commit since which a case fails, or the values at which it does");
  bisect.add_option("good", options->good, "Commit at which the case passes");
  bisect.add_option("bad", options->bad, "Commit at which it fails");
  bisect.add_option("--failure", options->failure, "The failure.json of the failure")
      .check(input_file())
      .required();
  bisect.add_option("--over", options->over,
                    "In place of commits, values of an option of kernbench sim: NAME=A,B,C or "
                    "NAME=FIRST..LAST. Whole numbers are bisected, seeds are all tried");
  bisect.add_flag("--here", options->only_here,
                  "Judge the files of the current folder only: exit code 0 passes, 1 fails, 125 "
                  "cannot be judged, as git bisect run has it");
  bisect.footer =
      "Runs in the repository of the RTL, in the folder from which the case was run. Commits are\n"
      "checked out in a temporary folder. One that does not build is passed over.\n\n"
      "Examples:\n"
      "  kernbench bisect v1.0 HEAD --failure build/reports/failures/stalls-seed1/failure.json\n"
      "  kernbench bisect --over cycles=100..20000 --failure failure.json   the least that fails\n"
      "  kernbench bisect --over seed=1..40 --failure failure.json          the seeds that fail\n"
      "  git bisect run kernbench bisect --here --failure /tmp/failure.json";
  bisect.exclude({"--over"}, {"--here", "good", "bad"});
  bisect.run = [options, &invocation] {
    if (!options->over.empty()) {
      return bisect_over(read_failure(options->failure), options->failure, options->over,
                         invocation);
    }
    if (options->only_here != (options->good.empty() && options->bad.empty())) {
      throw BadInput("bisect: give a good and a bad commit, --over or --here");
    }
    if (!options->only_here) {
      if (options->bad.empty()) throw BadInput("bisect: the bad commit is missing");
      return Bisection(*options, invocation).run();
    }
    const Verdict verdict = Bisection(*options, invocation).here();
    // No outcome of this program has this exit code.
    if (verdict == Verdict::Unknown) std::exit(kCannotJudge);  // NOLINT(concurrency-mt-unsafe)
    return verdict == Verdict::Good ? Outcome::Pass : Outcome::Mismatch;
  };
}

}  // namespace kernbench::cli
