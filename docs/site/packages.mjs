// SPDX-License-Identifier: BSL-1.0
// The packages of npm. They lie in build/, outside of the sources, where node does not look by itself.
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const folder = path.resolve(process.argv[2]);
const { resolve } = createRequire(path.join(folder, 'package.json'));
const load = async (name) => (await import(pathToFileURL(resolve(name)).href)).default;

export const [MarkdownIt, hljs, MiniSearch] =
  await Promise.all(['markdown-it', 'highlight.js', 'minisearch'].map(load));
export const fileOfMiniSearch = path.join(folder, 'node_modules/minisearch/dist/umd/index.js');
