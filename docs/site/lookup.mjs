// SPDX-License-Identifier: BSL-1.0
// The pages of functions, concepts and mistakes, in Markdown, of what policies.py printed.
const LABELS = 'Requires|Accepts|Returns|Fails|Throws|Cost|Example|Formula|Source|Laws|Law|Models';
const LABEL = new RegExp(`(?:^|\\s{2,}|(?<=\\.\\s))(${LABELS}):\\s+|(?:^|(?<=\\.\\s))(Choose)\\s+(?=it\\b)`, 'gm');
const NAMED = { Choose: 'When', Law: 'Laws' };
const FILE = /((?<![\w/])(?:(?:docs|examples)\/[\w/]+\.(?:md|cpp)|anew\/[\w/]+\.hpp))/;
const ROOMS = [
  ['drivers', 'Make calls'], ['strategy', 'Compose a strategy, and look into it'],
  ['text', 'Read a strategy from text'],
  ['bounds', 'Bounds of a strategy'], ['policies', 'Help with policies'], ['presets', 'Presets'], ['roles', 'Roles'],
  ['run_time', 'Strategies behind one type'], ['state', 'Keep state'], ['bridges', 'Use other libraries'],
  ['ports', 'Read the settings of other libraries'], ['base', 'Values'], ['testing', 'Test'],
];

const spaceOf = (e) => (e.namespace ? `${e.namespace.split('::').pop()}_` : '');
export const pageName = (e) => `${e.kind}s/${spaceOf(e)}${e.name}.md`;
const fullName = (e) => (e.namespace ? `${e.namespace}::${e.name}` : e.name);
const roomOf = (e) => e.forms[0].header.split('/')[1];

// Names of functions and concepts in code, and files, become links. Outside of code stars and brackets are no Markdown.
const linked = (pages, own) => (text) => text.split(/(`[^`]*`)/).map((part, i) => {
  if (i % 2) {
    const page = pages.get(part.slice(1, -1).replace(/^anew::|\(\)$/g, ''));
    return page && page !== own ? `[${part}](../${page})` : part;
  }
  return part.split(FILE).map((piece, n) => (!(n % 2) ? piece.replace(/[*<_]/g, '\\$&')
    : `[\`${piece}\`](../${piece.startsWith('anew/') ? 'include/' : ''}${piece})`)).join('');
}).join('');

// What a comment says: its paragraphs, and [label, text] of what stands behind labels, up to the end of a paragraph.
function read(comment) {
  const prose = [];
  const labels = [];
  for (const paragraph of comment.split(/\n{2,}/)) {
    const found = /^( {4}|\|)/.test(paragraph) ? [] : [...paragraph.matchAll(LABEL)];
    prose.push(found.length ? paragraph.slice(0, found[0].index) : paragraph);
    found.forEach((match, i) => labels.push([match[1] ?? match[2],
      paragraph.slice(match.index + match[0].length, found[i + 1]?.index).replace(/\s+/g, ' ').trim()]));
  }
  return { prose: prose.filter((text) => text.trim()), labels };
}

const sentenceOf = (e) => {
  const form = e.forms.find(({ comment }) => comment);
  const first = read(form.comment).prose[0]?.replace(/\s+/g, ' ') ?? '';
  return /^(?:`[^`]*`|[^`])*?[.:](?=\s|$)/.exec(first)?.[0].replace(/:$/, '.') ?? first;
};

const cell = (text) => text.replace(/\|/g, '\\|');
const fenced = (text) => `\`\`\`cpp\n${text}\n\`\`\`\n`;

function described(comment, link) {
  const { prose, labels } = read(comment);
  const paragraphs = prose.map((text) =>
    (text.startsWith('    ') ? fenced(text.replace(/^ {4}/gm, '').trimEnd()) : link(text.trim())));
  const rows = labels.map(([name, text]) =>
    `| **${NAMED[name] ?? name}** | ${name === 'Choose' ? 'Choose ' : ''}${cell(link(text))} |`);
  return paragraphs.join('\n\n') + (rows.length ? `\n\n| | |\n|---|---|\n${rows.join('\n')}\n` : '');
}

const source = ({ header, line }) => `[\`${header}\`, line ${line}](../include/${header}#L${line})`;

const shown = ({ file, region, text }) => `The smallest model:\n\n<!-- region: ${file}#${region} -->\n${fenced(text)}`;

// pages: Map of names to pages; policies: those of a concept's role.
export function pageOf(e, pages, policies) {
  const link = linked(pages, pageName(e));
  if (e.kind === 'concept') {
    const [form] = e.forms;
    const models = policies.map(({ name, page }) =>
      `[\`${page.replace(`_${name}`, `::${name}`)}\`](../policies/${page}.md)`);
    return `# ${fullName(e)}

${described(form.comment, link)}

${models.length ? `anew's own: ${models.join(', ')}.\n` : ''}
${e.models.map(shown).join('\n')}
## Definition

${fenced(form.signatures[0].text)}
${source(form)}. [The concepts](../docs/concepts.md) has all roles on one page.
`;
  }
  const headers = new Set(e.forms.map(({ header }) => header));
  let header = '';
  const forms = e.forms.map((form) => {
    const isNew = headers.size > 1 && form.header !== header;
    header = form.header;
    return `${isNew ? `## \`${header}\`\n` : ''}
${fenced(form.signatures.map(({ text }) => text).join('\n'))}
${described(form.comment, link)}

${source(form)}.
`;
  });
  return `# ${fullName(e)}

${forms.join('\n')}
`;
}

// A message with its cause and its fix.
export const pageOfMistake = (m) => `# ${m.title.replace(/[*<_]/g, '\\$&')}

> \`${m.message}\`

${m.cause}

## Wrong

${fenced(m.wrong)}
## Right

${fenced(m.right)}
[\`${m.file}\`, line ${m.line}](../${m.file}#L${m.line}). [All messages](../docs/errors.md).
`;

export function listOf(entries) {
  const link = linked(new Map(), '');
  const rows = (of) => of.map((e) =>
    `| [\`${fullName(e)}\`](${pageName(e)}) | ${cell(link(sentenceOf(e)).replace(/\(\.\.\//g, '('))} |`).join('\n');
  const known = new Set(ROOMS.map(([room]) => room));
  const lost = entries.find((e) => !known.has(roomOf(e)));
  if (lost) throw new Error(`no title for the room of ${fullName(lost)}`);
  const sections = ROOMS.flatMap(([room, title]) => {
    const of = entries.filter((e) => e.kind === 'function' && roomOf(e) === room);
    return of.length ? [`## ${title}\n\n| function | what it does |\n|---|---|\n${rows(of)}\n`] : [];
  });
  return `# Functions and concepts

Each name has a page with its signatures, requirements, result, failures and cost, made of the header that declares it.
Policies have [pages of their own](docs/reference/policies.md).

## Concepts

| concept | what it is |
|---|---|
${rows(entries.filter((e) => e.kind === 'concept'))}

${sections.join('\n')}`;
}
