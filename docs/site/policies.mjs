// SPDX-License-Identifier: BSL-1.0
// The page of a policy, in Markdown, of what policies.py read in its header.
const withoutDot = (text) => text.replace(/\.$/, '');
// Outside of code, stars and brackets would be read as Markdown.
const prose = (text) => text.split(/(`[^`]*`)/).map((part, i) => (i % 2 ? part : part.replace(/[*<_]/g, '\\$&'))).join('');
const cell = (text) => text.replace(/\|/g, '\\|');
const isSaid = (text) => text && !/^(none|nothing)\.?$/i.test(text);

function rows(p) {
  const { labels } = p;
  const formula = withoutDot(labels.Formula ?? '');
  return [
    ['Formula', isSaid(formula) && (formula.includes('`') ? prose(formula) : `\`${formula}\``)],
    ['Parameters', p.parameters && `\`${p.parameters}\``],
    ['Requires', isSaid(labels.Requires) && prose(withoutDot(labels.Requires))],
    ['Cost', prose(withoutDot(labels.Cost ?? ''))],
    ['Role', `[${p.role || 'that of what it is made of'}](../docs/reference/policies.md#${p.role || 'any-role'})` +
      (p.default ? `; \`${p.default}\` is the default` : '')],
    ['Models', prose(labels.Models ?? '')],
    ['Metastable above', labels['Metastable above'] && prose(labels['Metastable above'])],
    ['Example', labels.Example && prose(labels.Example)],
    ['Source', isSaid(labels.Source) && prose(withoutDot(labels.Source))],
  ].filter(([, text]) => text).map(([name, text]) => `| **${name}** | ${cell(text)} |`).join('\n');
}

// shown: HTML of what it does, as the library computes it.
export function pageOf(p, shown) {
  const [file, line] = p.example ?? [];
  const title = p.page === p.name ? p.name : `${p.name} (${p.header.split('/')[2]})`;
  return `# ${title}

${p.about.replace(/^( {2,}.*)$/gm, '    $1')}

${p.choose && `**When.** ${p.choose}\n`}
| | |
|---|---|
${rows(p)}

${shown}

\`\`\`cpp
#include "${p.umbrella ? 'anew/anew.hpp' : p.header}"
\`\`\`

${p.words.length ? `In [a text](../docs/how_to/read_a_strategy_from_text.md): ${p.words.map(([word, by]) =>
    `\`${word}\` (${/^[\w:<>, .]*$/.test(by) && !by.includes(' that ') ? `\`${by}\`` : by})`).join(', ')}.\n` : ''}
[The header, line ${p.line}](../include/${p.header}#L${p.line})${file ? `; [an example, line ${line}](../${file}#L${line})` : ''}.
`;
}
