// SPDX-License-Identifier: Apache-2.0
#include "cli/line/command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "common/shell_quote.hpp"

namespace kernbench::cli {
namespace {

/// Adds the words that give an option these texts.
void add_words(const Option& option, const Words& texts, Words& words) {
  if (option.is_argument()) {
    words.insert(words.end(), texts.begin(), texts.end());
    return;
  }
  for (const std::string& text : texts) {
    const bool is_long = option.name().starts_with("--");
    if (option.is_flag()) {
      words.push_back(option.name());
    } else if (is_long && (text.starts_with('-') || !option.bare_value.empty())) {
      words.push_back(fmt::format("{}={}", option.name(), text));
    } else {
      words.insert(words.end(), {option.name(), text});
    }
  }
}

using Texts = std::function<Words(const Option&)>;

Words words_of(const Command& command, const Command::Keep& keep, const Texts& texts) {
  Words words;
  for (const Command* const part : command.chain()) {
    if (part->parent() != nullptr) words.push_back(part->name());
    for (const bool arguments : {true, false}) {  // after an option with several values, an
                                                  // argument would be one of them
      for (const auto& option : part->options()) {
        if (option->is_argument() == arguments && keep(*option)) {
          add_words(*option, texts(*option), words);
        }
      }
    }
  }
  return words;
}

void collect(const Command& command, std::vector<const Command*>& all) {
  all.push_back(&command);
  for (const auto& below : command.commands()) collect(*below, all);
}

}  // namespace

Command::Command(std::string name, std::string meaning, const Command* parent)
    : name_(std::move(name)), meaning_(std::move(meaning)), parent_(parent) {
  add("-h,--help", shorthand([](const Words&) {}, ""), "Print this help message and exit");
}

Command& Command::add_command(const std::string& name, const std::string& meaning) {
  return *commands_.emplace_back(std::make_unique<Command>(name, meaning, this));
}

Option& Command::add(const std::string& names, Variable variable, const std::string& meaning) {
  return *options_.emplace_back(std::make_unique<Option>(names, std::move(variable), meaning));
}

void Command::exclude(const std::vector<const char*>& some,
                      const std::vector<const char*>& others) {
  for (const char* const one : some) {
    for (const char* const other : others) {
      if (std::string_view(one) != other) option(one).excludes(other);
    }
  }
}

void Command::require_one(std::vector<std::string> options, std::string problem) {
  conditions_.push_back({std::move(options), std::move(problem)});
}

std::string Command::path() const {
  if (parent_ == nullptr) return {};
  const std::string above = parent_->path();
  return above.empty() ? name_ : above + " " + name_;
}

std::string Command::full_name() const {
  return parent_ == nullptr ? name_ : parent_->full_name() + " " + name_;
}

std::string Command::help_footer() const {
  return footer + (footer.empty() ? "" : "\n") + exit_code_text();
}

std::vector<const Option*> Command::shown_options() const {
  std::vector<const Option*> shown;
  for (const auto& option : options_) {
    if (!option->is_hidden) shown.push_back(option.get());
  }
  return shown;
}

Command* Command::find(std::string_view name) const {
  const auto found = std::find_if(commands_.begin(), commands_.end(),
                                  [&](const auto& command) { return command->name() == name; });
  return found == commands_.end() ? nullptr : found->get();
}

Option* Command::find_option(std::string_view name) const {
  const auto found = std::find_if(options_.begin(), options_.end(), [&](const auto& option) {
    return std::find(option->names.begin(), option->names.end(), name) != option->names.end();
  });
  return found == options_.end() ? nullptr : found->get();
}

Option& Command::option(std::string_view name) const {
  Option* const found = find_option(name);
  if (found == nullptr) throw std::logic_error(fmt::format("{} has no {}", full_name(), name));
  return *found;
}

std::vector<const Command*> Command::chain() const {
  std::vector<const Command*> chain =
      parent_ == nullptr ? std::vector<const Command*>{} : parent_->chain();
  chain.push_back(this);
  return chain;
}

Words Command::typed_words(const Keep& keep) const {
  return words_of(*this, keep, [](const Option& option) { return option.typed; });
}

Words Command::words(const Keep& keep) const {
  return words_of(*this, keep, [](const Option& option) {
    Words texts = option.variable.texts();
    if (texts == option.first) return Words{};
    if (!option.is_flag()) std::erase(texts, "");  // nothing is given
    for (std::string& text : texts) {
      const std::string folder = option.data_folder + "/";
      if (option.data_folder.empty() || !text.starts_with(folder)) continue;
      std::string short_text = text.substr(folder.size());
      if (path_in(option.data_folder, short_text) == text) text = std::move(short_text);
    }
    return texts;
  });
}

std::string exit_code_text() {
  return "Exit code: 0 pass, 1 mismatch or nothing checked, 2 bad input, 3 timeout, 4 deadlock,\n"
         "5 internal error, 130 interrupted.";
}

std::vector<const Command*> all_commands(const Command& top) {
  std::vector<const Command*> all;
  collect(top, all);
  return all;
}

std::string shell_line(const std::string& program, const Words& words) {
  std::string line = common::shell_quote(program);
  for (const std::string& word : words) line += " " + common::shell_quote(word);
  return line;
}

}  // namespace kernbench::cli
