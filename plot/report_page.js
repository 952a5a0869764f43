// SPDX-License-Identifier: Apache-2.0
// The script of all HTML reports. Without it a page is complete. It loads nothing and sends nothing.
// It uses neither "less than" nor "and", so that a page remains well-formed XML.
(() => {
  /* A click on the head of a column sorts the rows of the table; a second click turns them round. */
  const units = { k: 1e3, M: 1e6, G: 1e9, T: 1e12 };
  const value = (cell) => {
    const text = (cell.dataset.v ?? cell.textContent).trim();
    const match = /^([-+]?[\d,]*\.?\d+)\s*([kMGT](?=\s|$))?/.exec(text);
    return match ? Number(match[1].replaceAll(',', '')) * (units[match[2]] ?? 1) : text;
  };
  const compare = (a, b) => {
    if (typeof a !== typeof b) return typeof a === 'number' ? 1 : -1;
    return typeof a === 'number' ? a - b : a.localeCompare(b);
  };
  for (const table of document.querySelectorAll('table.sortable')) {
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, column) => {
      const button = document.createElement('button');
      button.type = 'button';
      button.append(...head.childNodes);
      head.append(button);
      button.onclick = () => {
        const now = head.getAttribute('aria-sort');
        const down = now ? now === 'ascending' : head.classList.contains('n');
        for (const other of heads) other.removeAttribute('aria-sort');
        head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
        const order = (a, b) => compare(value(a.cells[column]), value(b.cells[column]));
        const rows = [...table.tBodies[0].rows];
        rows.sort((a, b) => (down ? order(b, a) : order(a, b)));
        table.tBodies[0].append(...rows);
      };
    });
  }

  /* A long table has a field for the words that its rows must have. */
  for (const table of document.querySelectorAll('table.sortable')) {
    const rows = [...table.tBodies[0].rows];
    if (rows.length > 15) {
      const field = document.createElement('input');
      field.type = 'search';
      field.className = 'filter';
      field.placeholder = 'Filter rows';
      field.setAttribute('aria-label', 'Filter rows');
      field.oninput = () => {
        const words = field.value.toLowerCase().split(' ');
        for (const row of rows) {
          const text = row.textContent.toLowerCase();
          row.hidden = !words.every((word) => text.includes(word));
        }
      };
      (table.closest('.scroll') ?? table).before(field);
    }
  }

  /* Charts and tables can be saved. */
  for (const chart of document.querySelectorAll('.card svg[role="img"]')) {
    if (chart.getBoundingClientRect().width > 200) {
      const title = chart.querySelector('title')?.textContent ?? chart.getAttribute('aria-label') ?? '';
      const figure = document.createElement('figure');
      figure.className = 'chart';
      chart.replaceWith(figure);
      figure.append(chart, svgButton(chart, title));
    }
  }
  for (const table of document.querySelectorAll('.card table.rows')) {
    const box = table.closest('.scroll') ?? table;
    const heading = table.closest('.card')?.querySelector('h2')?.textContent ?? '';
    box.after(csvButton(box.getAttribute('aria-label') ?? heading, () =>
      [...table.rows].filter((row) => !row.hidden).map((row) => [...row.cells].map((cell) => cell.textContent.trim()))));
  }

  /* Where the browser has no clipboard for local files, the command is selected, so that Ctrl-C
     copies it. */
  for (const button of document.querySelectorAll('.copy button')) {
    button.hidden = false;
    button.onclick = async () => {
      const command = button.previousElementSibling;
      getSelection().selectAllChildren(command);
      try {
        await navigator.clipboard.writeText(command.textContent);
      } catch {
        document.execCommand('copy');
      }
      button.textContent = 'copied';
    };
  }

  /* Paper shows what is folded on the screen. */
  let folded = [];
  addEventListener('beforeprint', () => {
    folded = [...document.querySelectorAll('details:not([open])')];
    for (const part of folded) part.open = true;
  });
  addEventListener('afterprint', () => {
    for (const part of folded) part.open = false;
  });
})();
