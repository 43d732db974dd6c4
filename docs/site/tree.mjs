// SPDX-License-Identifier: BSL-1.0
// The sources: which files there are, where a region stands in one, and the order in which docs/README.md has the pages.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

export class Tree {
  constructor(root) {
    this.root = root;
  }

  read(name) {
    return fs.readFileSync(path.join(this.root, name), 'utf8');
  }

  kind(name) {
    const found = fs.statSync(path.join(this.root, name), { throwIfNoEntry: false });
    return found?.isDirectory() ? 'folder' : found?.isFile() ? 'file' : '';
  }

  // What lies in a folder, deeply. Git leaves out what is ignored; an unpacked archive has nothing to be left out.
  files(folder) {
    try {
      return execFileSync('git', ['ls-files', '-co', '--exclude-standard', folder || '.'],
        { cwd: this.root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).split('\n').filter((name) =>
        name && this.kind(name) === 'file').sort();
    } catch {
      return fs.readdirSync(path.join(this.root, folder), { recursive: true }).map((name) => path.join(folder, name))
        .filter((name) => this.kind(name) === 'file' && !name.startsWith('build')).sort();
    }
  }

  // The first and the last line of a region, counted from 1, without its markers. tests/docs checks that it exists.
  linesOf(name, label) {
    const lines = this.read(name).trimEnd().split('\n');
    const at = (text) => lines.findIndex((line) => line.trim() === text) + 1;
    return label && label !== 'all' || lines.some((line) => line.trim() === `// [${label}]`)
      ? [at(`// [${label}]`) + 1, at(`// [/${label}]`) - 1] : [1, lines.length];
  }

  // [{title, pages}], as in docs/README.md: its bold lines, and the pages that each links to first.
  order() {
    const seen = new Set();
    const groups = [];
    for (const line of this.read('docs/README.md').split('\n')) {
      const title = /^\*\*(.*)\*\*$/.exec(line);
      if (title) groups.push({ title: title[1], pages: [] });
      else if (!groups.length) groups.push({ title: 'Learn', pages: [] });
      for (const [, target] of line.matchAll(/\]\(([^)#]+\.md)\)/g)) {
        const page = path.posix.join('docs', target);
        if (groups.length && !seen.has(page)) groups.at(-1).pages.push(page);
        seen.add(page);
      }
    }
    return groups;
  }
}
