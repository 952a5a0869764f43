// SPDX-License-Identifier: Apache-2.0
#include "wording_check.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "prose.hpp"

namespace kernbench::docs {
namespace {

using Words = std::vector<std::string>;

/// A banned phrase, word for word; each place holds the forms of one word.
struct Phrase {
  std::vector<Words> forms;
  const char* instead;
};

const std::vector<Phrase>& banned_phrases() {
  static const std::vector<Phrase> phrases = {
      {{{"nobody"}}, "name who does not, or use the passive"},
      {{{"anew"}}, "write 'again' or 'new'"},
      {{{"likewise"}}, "write 'also', or repeat the fact"},
      {{{"hear", "hears", "heard", "hearing"}, {"of"}}, "write 'is notified of' or 'receives'"},
      {{{"be", "is", "are", "was", "were", "been", "being"}, {"through"}},
       "write 'has completed' or 'has passed'"},
      {{{"go", "goes", "going", "went"}, {"on"}, {"at"}}, "write 'resumes at' or 'continues at'"},
      {{{"of"}, {"which"}}, "write 'whose', or make two sentences"},
  };
  return phrases;
}

constexpr std::array kBannedStarts = {"Of", "What", "Whether", "Those", "Which"};

/// Words that may follow "is no".
constexpr std::array kAfterNo = {"longer",  "more",    "less",   "fewer",   "larger", "smaller",
                                 "bigger",  "greater", "later",  "earlier", "sooner", "slower",
                                 "faster",  "better",  "worse",  "higher",  "lower",  "wider",
                                 "shorter", "deeper",  "nearer", "further", "other",  "different"};

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](char c) {
    return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  });
  return text;
}

template <class Range>
bool contains(const Range& range, const std::string& word) {
  return std::find(range.begin(), range.end(), word) != range.end();
}

class WordingCheck {
 public:
  std::vector<std::string> check(const std::vector<SourceFile>& files) {
    for (const SourceFile& file : files) {
      path_ = file.path;
      if (file.path.ends_with(".md")) check_script(file.text);
      for (const Passage& passage : prose_of(file)) {
        check_start(passage);
        for (std::size_t at = 0; at < passage.words.size(); ++at) {
          check_phrases(passage.words, at);
          check_is_no(passage.words, at);
        }
      }
    }
    return std::move(findings_);
  }

 private:
  void report(unsigned line, const std::string& wording, const char* instead) {
    findings_.push_back(fmt::format("{}:{}: '{}': {}", path_, line, wording, instead));
  }

  /// Pages are in English: their letters are Latin, or Greek symbols. The first byte of a letter of
  /// another script in UTF-8 tells it: U+0400 to U+07FF, and U+3000 to U+D7FF.
  void check_script(const std::string& text) {
    unsigned line = 1;
    for (std::size_t at = 0; at < text.size(); ++at) {
      const auto byte = static_cast<unsigned char>(text[at]);
      if (byte == '\n') ++line;
      const bool is_two = byte >= 0xD0 && byte <= 0xDF;
      if (is_two || (byte >= 0xE3 && byte <= 0xED)) {
        report(line, text.substr(at, is_two ? 2 : 3), "write English");
      }
    }
  }

  void check_start(const Passage& passage) {
    if (passage.words.empty()) return;
    const ProseWord& first = passage.words.front();
    std::string word = first.text;
    if (passage.kind == Passage::Kind::FieldComment) {
      if (std::islower(static_cast<unsigned char>(word[0])) != 0) {
        word[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(word[0])));
      }
      if (contains(kBannedStarts, word)) {
        report(first.line, first.text, "begin a field comment with a noun");
      }
    } else if (passage.kind == Passage::Kind::Comment && contains(kBannedStarts, word)) {
      report(first.line, word, "begin a comment with a verb or with the thing it describes");
    }
  }

  void check_phrases(const std::vector<ProseWord>& words, std::size_t at) {
    for (const Phrase& phrase : banned_phrases()) {
      if (at + phrase.forms.size() > words.size()) continue;
      Words found;
      for (std::size_t i = 0; i < phrase.forms.size(); ++i) {
        if (!contains(phrase.forms[i], lower(words[at + i].text))) break;
        found.push_back(words[at + i].text);
      }
      if (found.size() != phrase.forms.size()) continue;
      report(words[at].line, fmt::format("{}", fmt::join(found, " ")), phrase.instead);
    }
  }

  /// "x is no number" is wrong, "there is no x" and "is no longer" are right.
  void check_is_no(const std::vector<ProseWord>& words, std::size_t at) {
    static const Words kForms = {"is", "are", "was", "were"};
    if (at + 2 >= words.size() || words[at + 1].text != "no") return;
    if (!contains(kForms, lower(words[at].text))) return;
    const std::string& next = words[at + 2].text;
    const bool noun = std::islower(static_cast<unsigned char>(next[0])) != 0 || next == "{";
    if (!noun || contains(kAfterNo, next)) return;
    if (at > 0 && lower(words[at - 1].text) == "there") return;
    report(words[at].line, fmt::format("{} no {}", words[at].text, next),
           "write 'is not a', or 'is not a valid'");
  }

  std::string path_;
  std::vector<std::string> findings_;
};

}  // namespace

std::vector<std::string> check_wording(const std::vector<SourceFile>& files) {
  return WordingCheck().check(files);
}

}  // namespace kernbench::docs
