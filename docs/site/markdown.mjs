// SPDX-License-Identifier: BSL-1.0
// Markdown to HTML: headings with the anchors that GitHub gives them, code that says which lines of which file it is.
import { DRAWN } from './drawn.mjs';
import { escape, highlight } from './highlight.mjs';
import { MarkdownIt } from './packages.mjs';
import { rooms } from './rooms.mjs';
import { tabs } from './tabs.mjs';

const PICTURE = /<!--\s*drawn:\s*(\w+)\s*-->/;
const REGION = /<!--\s*region:\s*([^\s#]+)(?:#(\S+))?\s*-->/;

export const slugOf = (heading) =>
  heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/`/g, '').toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '').replace(/\s/g, '-');

function headings(md) {
  md.core.ruler.push('headings', (state) => {
    const seen = new Map();
    state.env.contents = [];
    state.tokens.forEach((token, i) => {
      if (token.type !== 'heading_open') return;
      const { content, children } = state.tokens[i + 1];
      const slug = slugOf(content);
      const times = seen.get(slug) ?? 0;
      seen.set(slug, times + 1);
      const id = times ? `${slug}-${times}` : slug;
      token.attrSet('id', id);
      const text = children.map((child) => child.content).join('');
      state.env.title ??= text;
      state.env.contents.push({ level: +token.tag[1], id, text });
    });
  });
}

// `tree.linesOf` finds a region; the marker above a block becomes a link to its lines. `<!-- drawn: KIND -->` above that
// marker draws what the block says, which other readers of Markdown see as text.
function code(md, tree) {
  md.renderer.rules.fence = (tokens, i, _, env) => {
    const token = tokens[i];
    const body = `<pre tabindex="0"><code>${highlight(token.content, token.info.trim().split(' ')[0])}</code></pre>`;
    const marker = REGION.exec(tokens[i - 1]?.content ?? '');
    if (!marker) return `<div class="code">${body}</div>\n`;
    const [first, last] = tree.linesOf(marker[1], marker[2]);
    const href = env.linkTo(marker[1], first > 1 ? `#L${first}` : '');
    const block = `<div class="code"><a class="from" href="${href}">${marker[1]}, lines ${first} to ${last}</a>${body}</div>\n`;
    const picture = PICTURE.exec(tokens[i - 2]?.content ?? '');
    return picture ? `${DRAWN[picture[1]](token.content)}<details><summary>The same as text</summary>${block}</details>\n` : block;
  };
  md.renderer.rules.html_block = (tokens, i) => tokens[i].content.replace(/<!-- rooms -->/, () => rooms(tree))
    .replace(/<!--[^]*?-->\n?/g, '');
  // Below `<!-- names stay -->` the first column stays where it is while the others are scrolled.
  md.renderer.rules.table_open = (tokens, i) =>
    `<div class="wide${/<!-- names stay -->/.test(tokens[i - 1]?.content) ? ' names' : ''}" tabindex="0"><table>\n`;
  md.renderer.rules.table_close = () => '</table></div>\n';
}

// The corner of a table names nothing, so it is no heading.
function corners(md) {
  md.core.ruler.push('corners', ({ tokens }) => tokens.forEach((token, i) => {
    if (token.type === 'th_open' && !tokens[i + 1].content) token.tag = tokens[i + 2].tag = 'td';
  }));
}

function links(md) {
  const rewritten = (attribute) => (tokens, i, options, env, self) => {
    const target = tokens[i].attrGet(attribute);
    if (!/^[a-z][a-z+.-]*:/i.test(target)) {
      const [name, anchor] = decodeURI(target).split('#');
      tokens[i].attrSet(attribute, env.follow(name, anchor ? `#${anchor}` : '', tokens[i + 1]?.content));
    }
    return self.renderToken(tokens, i, options);
  };
  md.renderer.rules.link_open = rewritten('href');
  const image = md.renderer.rules.image;
  md.renderer.rules.image = (tokens, i, options, env, self) => {
    tokens[i].attrSet('src', env.follow(tokens[i].attrGet('src'), ''));
    return image(tokens, i, options, env, self);
  };
}

export function renderer(tree) {
  const md = new MarkdownIt({ html: true }).use(headings).use(tabs).use(corners).use(links);
  code(md, tree);
  return (text, env) => ({ html: md.render(text, env), title: env.title, contents: env.contents });
}
