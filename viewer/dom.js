// SPDX-License-Identifier: Apache-2.0
// Helpers that build document elements. Text is always inserted as text, never as markup.

const SVG = 'http://www.w3.org/2000/svg';

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

/// Builds an HTML element: el('p', {class: 'quiet', onclick: f}, 'text', element, ...).
export function el(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/// Builds an SVG element.
export function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

/// Returns the address of a view, such as '#report=PATH'.
export const address = (parameters) => '#' + new URLSearchParams(Object.entries(parameters).filter(([, value]) => value));

export const byId = (id) => document.getElementById(id);

/// Builds a list of names and values, one pair per line.
export function pairs(entries) {
  return el('dl', {class: 'pairs'}, entries.filter(([, value]) => value !== null && value !== undefined)
    .flatMap(([name, value]) => [el('dt', {}, name), el('dd', {}, value instanceof Node ? value : String(value))]));
}
