// SPDX-License-Identifier: Apache-2.0
// The API of the server; see docs/developer/developer-guide.md.

async function ask(path) {
  const response = await fetch(path);
  const type = response.headers.get('Content-Type') ?? '';
  if (!response.ok) {
    const text = type.startsWith('application/json') ? (await response.json()).error : response.statusText;
    throw new Error(text);
  }
  return response;
}

const json = async (path) => (await ask(path)).json();
const query = (parameters) => new URLSearchParams(parameters).toString();

export const view = (level, of) => json('/api/topology?' + query(of ? {view: level, of} : {view: level}));
export const node = (name) => json('/api/node/' + encodeURIComponent(name));
export const edge = (id) => json('/api/edge/' + id);
export const route = (from, to) => json('/api/route?' + query({from, to}));
export const names = (contains) => json('/api/names?' + query({contains}));
export const reports = () => json('/api/reports');

const encoded = (path) => path.split('/').map(encodeURIComponent).join('/');
export const isSweep = (path) => path.endsWith('.db');
export const sweep = (path) => json('/api/sweep/' + encoded(path));

export const reportUrl = (path) => '/reports/' + encoded(path);
const pageName = (path, other) => encoded(path) + (other ? '?' + query({with: other}) : '');
/// The page that the program makes of a report, or of two to compare.
export const pageUrl = (path, other = '') => '/page/' + pageName(path, other);
/// Returns why there is no such page; empty if there is one.
export const problemOfPage = async (path, other = '') => (await json('/api/page/' + pageName(path, other))).problem;
export const reportJson = (path) => json(reportUrl(path));
export const reportText = async (path) => (await ask(reportUrl(path))).text();
