// SPDX-License-Identifier: Apache-2.0
// The filter of a sweep: comparisons such as `bench.m>=256 outcome=pass`, which all have to hold.

const WORD = String.raw`(?:"(?:[^"\\]|\\.)*"|[^\s",=!<>~]+)`;
const TERM = new RegExp(String.raw`\s*(${WORD})\s*(<=|>=|!=|==?|<|>|~)\s*(${WORD}(?:,${WORD})*)?`, 'y');
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
const PLAIN = new RegExp(`^${WORD}$`);

function unquoted(word) {
  if (!word.startsWith('"')) return word;
  try {
    return JSON.parse(word);
  } catch {  // an escape that JSON does not have
    return word.slice(1, -1);
  }
}

const quoted = (text) => (PLAIN.test(text) && !text.startsWith('"') ? text : JSON.stringify(text));

/// Returns how many letters differ between two words.
function distance(a, b) {
  let last = Array.from({length: b.length + 1}, (_, i) => i);
  for (let i = 1; i <= a.length; ++i) {
    const next = [i];
    for (let j = 1; j <= b.length; ++j) next[j] = Math.min(last[j] + 1, next[j - 1] + 1, last[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1));
    last = next;
  }
  return last[b.length];
}

function unknown(name, columns) {
  const [nearest, far] = [...columns.keys()].map((one) => [one, distance(name, one)]).sort((a, b) => a[1] - b[1])[0];
  return far <= Math.max(2, name.length / 3) ? `There is no column '${name}'; did you mean '${nearest}'?`
    : `There is no column '${name}'; there are ${[...columns.keys()].join(', ')}.`;
}

const TESTS = {
  '<': (a, b) => a < b, '<=': (a, b) => a <= b, '>': (a, b) => a > b, '>=': (a, b) => a >= b,
};

/// Returns a test of a row, or throws an error that explains the mistake.
function testOf({name, operator, values}, columns) {
  const column = columns.get(name);
  if (!column) throw new Error(unknown(name, columns));
  const {at} = column;
  if (values.length === 0) throw new Error(`'${name}${operator}' needs a value, such as ${quoted(name)}${operator}${exampleOf(column)}.`);
  if (operator === '=' || operator === '!=') {
    const wanted = new Set(values);
    const numbers = new Set(values.filter((text) => NUMBER.test(text)).map(Number));
    const equal = (value) => (typeof value === 'number' ? numbers.has(value) : wanted.has(value ?? ''));
    return operator === '=' ? (row) => equal(at(row)) : (row) => !equal(at(row));
  }
  if (values.length > 1) throw new Error(`'${operator}' takes one value; lists stand after '=' and '!='.`);
  const [text] = values;
  if (operator === '~') return (row) => String(at(row) ?? '').toLowerCase().includes(text.toLowerCase());
  if (!column.hasNumbers) throw new Error(`'${name}' has no numbers, which '${operator}' compares; use =, != or ~.`);
  if (!NUMBER.test(text)) throw new Error(`'${text}' is not a number, which '${name}${operator}' needs.`);
  const limit = Number(text);
  const holds = TESTS[operator];
  return (row) => holds(column.values[row], limit);  // no number: never
}

const exampleOf = (column) => (column.hasNumbers ? column.values.find((value) => !Number.isNaN(value)) : column.count > 0 ? quoted(String(column.at(0))) : 'x');

function termsOf(text) {
  const terms = [];
  const errors = [];
  TERM.lastIndex = 0;
  for (let at = 0; text.slice(at).trim() !== '';) {
    TERM.lastIndex = at;
    const found = TERM.exec(text);
    if (found) {
      const values = found[3] === undefined ? [] : found[3].match(new RegExp(WORD, 'g')).map(unquoted);
      terms.push({text: found[0].trim(), name: unquoted(found[1]), operator: found[2] === '==' ? '=' : found[2], values});
      at = TERM.lastIndex;
      continue;
    }
    const [all, word] = /^\s*("[^"]*"?|\S+)/.exec(text.slice(at));
    errors.push(`'${word}' is not a comparison such as bench.m>=256.`);
    at += all.length;
  }
  return {terms, errors};
}

/// Reads a filter. Returns the tests that rows have to pass, the range of each column, and the mistakes as sentences.
export function parseFilter(text, columns) {
  const {terms, errors} = termsOf(text);
  const tests = [];
  const ranges = new Map();
  for (const term of terms) {
    try {
      tests.push(testOf(term, columns));
      const range = ranges.get(term.name) ?? {low: -Infinity, high: Infinity};
      if (term.operator.startsWith('>')) range.low = Math.max(range.low, Number(term.values[0]));
      else if (term.operator.startsWith('<')) range.high = Math.min(range.high, Number(term.values[0]));
      else continue;
      ranges.set(term.name, range);
    } catch (error) {
      errors.push(error.message);
    }
  }
  return {tests, errors, ranges};
}

/// Returns the filter without what it says about the columns `names`, and with new comparisons.
export function replaceTerms(text, names, added) {
  const kept = termsOf(text).terms.filter(({name}) => !names.includes(name)).map((term) => term.text);
  return [...kept, ...added].join(' ');
}

/// Returns the comparisons by which a column is between two numbers, or has one of some texts.
export const between = (name, low, high) => [`${quoted(name)}>=${low}`, `${quoted(name)}<=${high}`];
export const oneOf = (name, texts) => [`${quoted(name)}=${texts.map(quoted).join(',')}`];
