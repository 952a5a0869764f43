/* SPDX-License-Identifier: Apache-2.0 */
/* Buttons that save a chart or a table. The pages of reports and the viewer use them: no "less than" and no "and" in this
   file. */

const save = (title, suffix, type, text) => {
  const link = document.createElement('a');
  const name = title.trim().replaceAll(/[^\p{L}\p{N}._-]+/gu, '-').slice(0, 80) || 'chart';
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name + suffix;
  link.click();
  URL.revokeObjectURL(link.href);
};

const saveButton = (text, action) => {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'save';
  button.textContent = text;
  button.onclick = action;
  return button;
};

const LOOKS = ['fill', 'fill-opacity', 'stroke', 'stroke-width', 'stroke-dasharray', 'font-family', 'font-size',
  'font-weight', 'opacity', 'paint-order', 'display', 'visibility', 'text-anchor'];

/* Returns the text of an SVG file of a chart with the colours that it has here, on the ground behind it. */
const standalone = (chart) => {
  const copy = chart.cloneNode(true);
  const copies = copy.querySelectorAll('*');
  chart.querySelectorAll('*').forEach((own, i) => {
    const style = getComputedStyle(own);
    for (const look of LOOKS) copies[i].setAttribute(look, style.getPropertyValue(look));
  });
  for (const sheet of copy.querySelectorAll('style')) sheet.remove();
  const { width, height } = chart.getBoundingClientRect();
  const ground = document.createElementNS(chart.namespaceURI, 'rect');
  const behind = [chart.closest('.card'), document.body, document.documentElement].filter(Boolean)
    .map((box) => getComputedStyle(box).backgroundColor).find((colour) => colour !== 'rgba(0, 0, 0, 0)');
  ground.setAttribute('width', '100%');
  ground.setAttribute('height', '100%');
  ground.setAttribute('fill', behind ?? 'white');
  copy.prepend(ground);
  copy.setAttribute('xmlns', chart.namespaceURI);
  copy.setAttribute('width', width);
  copy.setAttribute('height', height);
  return new XMLSerializer().serializeToString(copy);
};

/* Returns a button that saves a chart as SVG. */
const svgButton = (chart, title) => saveButton('save SVG', () => save(title, '.svg', 'image/svg+xml', standalone(chart)));

const quoted = (text) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/* Returns a button that saves the rows, lists of texts, that `rows` returns as CSV. */
const csvButton = (title, rows) => saveButton('save CSV', () =>
  save(title, '.csv', 'text/csv', rows().map((row) => `${row.map(quoted).join(',')}\n`).join('')));
