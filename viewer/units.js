// SPDX-License-Identifier: Apache-2.0
// Numbers with their units.

const PLAIN = new Intl.NumberFormat('en', {maximumFractionDigits: 4});

/// Formats 12345.678 as "12,345.678".
export function number(value) {
  return PLAIN.format(value);
}

function significant(value) {
  if (!Number.isFinite(value)) return String(value);
  const digits = Math.max(0, 4 - Math.ceil(Math.log10(Math.abs(value) + 1e-300)));
  return value.toLocaleString('en', {maximumFractionDigits: Math.min(digits, 6)});
}

function scaled(value, step, units) {
  let unit = 0;
  while (Math.abs(value) >= step && unit < units.length - 1) {
    value /= step;
    ++unit;
  }
  return `${significant(value)} ${units[unit]}`;
}

/// Formats 1536 as "1.5 KiB".
export const bytes = (value) => scaled(value, 1024, ['B', 'KiB', 'MiB', 'GiB', 'TiB']);

const FORMATS = {
  ps: (value) => scaled(value, 1000, ['ps', 'ns', 'µs', 'ms', 's']),
  ns: (value) => scaled(value, 1000, ['ns', 'µs', 'ms', 's']),
  bytes,
  share: (value) => `${significant(100 * value)} %`,
  gbs: (value) => `${significant(value)} GB/s`,
  mm: (value) => `${significant(value)} mm`,
  s: (value) => `${significant(value)} s`,
};

/// Formats a value of an unit: 'ps', 'ns', 's', 'bytes', 'share', 'gbs', 'mm' or none.
export function quantity(value, unit) {
  if (typeof value !== 'number') return value === null || value === undefined ? '–' : String(value);
  return FORMATS[unit] ? FORMATS[unit](value) : Number.isInteger(value) ? number(value) : significant(value);
}

const SUFFIXES = [['_ps', 'ps'], ['_ns', 'ns'], ['_gbs', 'gbs'], ['_mm', 'mm']];

/// Returns the name and the unit in a key: "mean_ps" is {name: "mean", unit: "ps"}.
export function named(key) {
  const found = SUFFIXES.find(([suffix]) => key.endsWith(suffix) && key.length > suffix.length);
  const name = (found ? key.slice(0, -found[0].length) : key).replaceAll('_', ' ');
  if (found) return {name, unit: found[1]};
  return {name, unit: /(^|_)bytes$/.test(key) ? 'bytes' : key === 'seconds' ? 's' : ''};
}
