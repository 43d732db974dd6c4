// SPDX-License-Identifier: BSL-1.0
// Pictures of what a program prints, so that they are as true as the program: messages in a sequence, and states.
//
//     A -> B: TEXT    a message, or a change of state
//     A: TEXT         something that A does, or that leaves it in its state
//
// They are 360 units wide, as a phone is, and take their colours from site.css.
import { escape } from './highlight.mjs';

const WIDTH = 360;
const LINE = 14;

const read = (text) => text.trim().split('\n').map((line) => {
  const [, from, to, what] = /^(.*?)(?: -> (.*?))?: (.*)$/.exec(line);
  return { from, to, what };
});

function arrow([x1, y1], [x2, y2], kind = '') {
  const length = Math.hypot(x2 - x1, y2 - y1);
  const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
  const side = (s) => `${(x2 - 7 * dx + s * 3.5 * dy).toFixed(1)},${(y2 - 7 * dy - s * 3.5 * dx).toFixed(1)}`;
  return `<g class="${kind}"><line x1="${x1}" y1="${y1}" x2="${x2 - 5 * dx}" y2="${y2 - 5 * dy}"/>` +
    `<polygon points="${x2},${y2} ${side(1)} ${side(-1)}"/></g>`;
}

const words = ([x, y], text, more = '') => `<text x="${x}" y="${y}" ${more}>${text}</text>`;
const box = ([x, y, width, height]) => `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="5"/>`;
const NAME = 'class="name" text-anchor="middle"';

const svg = (height, label, inside) => `<svg class="drawn" viewBox="0 0 ${WIDTH} ${height}" role="img" ` +
  `aria-label="${escape(label)}">\n${inside.join('\n')}\n</svg>\n`;

// Lanes in the order in which they are named first. The part of a text before a colon is who is asked.
function sequence(text) {
  const [top, row] = [30, 25];
  const messages = read(text);
  const names = [...new Set(messages.flatMap(({ from, to }) => [from, to ?? from]))];
  const lane = new Map(names.map((name, i) => [name, [36, 132, 326][i]]));
  const height = top + messages.length * row + 12;
  const lines = names.map((name) => words([lane.get(name), top - 14], escape(name), NAME) +
    `<line class="lane" x1="${lane.get(name)}" y1="${top - 6}" x2="${lane.get(name)}" y2="${height}"/>`);
  messages.forEach(({ from, to, what }, i) => {
    const y = top + (i + 1) * row;
    const [x1, x2] = [lane.get(from), lane.get(to)];
    const said = escape(what).replace(/^\w+(?=: )/, '<tspan class="name">$&</tspan>');
    if (!to) {
      lines.push(box([x1 - 55, y - 16, 110, 20]) + words([x1, y - 2], said, 'text-anchor="middle"'));
    } else {
      lines.push(arrow([x1, y], [x2, y], to === names.at(-1) ? '' : 'own') + words([Math.min(x1, x2) + 6, y - 5], said));
    }
  });
  return svg(height, 'A call as a sequence: the text below the picture has each message', lines);
}

function wrapped(text, most) {
  const lines = [''];
  for (const word of text.split(' ')) {
    if (`${lines.at(-1)} ${word}`.trim().length > most) lines.push('');
    lines.push(`${lines.pop()} ${word}`.trim());
  }
  return lines;
}

// Three states: two above, one below. A label stands outside of its arrow.
const BOXES = [[12, 60, 100], [248, 60, 100], [95, 240, 110]];
const EDGES = {
  '0 1': { at: [[112, 70], [248, 70]], label: [180, 64, 'middle'], most: 17, above: true },
  '1 0': { at: [[248, 88], [112, 88]], label: [180, 103, 'middle'], most: 17 },
  '1 2': { at: [[318, 96], [205, 252]], label: [276, 174, 'start'], most: 13 },
  '2 1': { at: [[185, 240], [268, 96]], label: [218, 140, 'end'], most: 13 },
  '2 0': { at: [[115, 240], [62, 96]], label: [80, 166, 'end'], most: 11 },
};
function states(text) {
  const found = read(text).filter(({ to }) => to);
  const names = [...new Set(found.flatMap(({ from, to }) => [from, to]))];
  const changes = new Map();
  for (const { from, to, what } of found) {
    const edge = `${names.indexOf(from)} ${names.indexOf(to)}`;
    if (!EDGES[edge]) throw new Error(`there is no place for ${from} -> ${to}`);
    changes.set(edge, [...(changes.get(edge) ?? []), what]);
  }
  const boxes = names.map((name, i) => {
    const [x, y, width] = BOXES[i];
    return box([x, y, width, 36]) + words([x + width / 2, y + 22], escape(name.replaceAll('_', ' ')), NAME);
  });
  const arrows = [...changes].map(([edge, texts]) => {
    const { at, label: [x, y, anchor], most, above } = EDGES[edge];
    const lines = wrapped(texts.join(', or '), most);
    const first = above ? y - (lines.length - 1) * LINE : y;
    return arrow(...at) +
      lines.map((line, i) => words([x, first + i * LINE], escape(line), `text-anchor="${anchor}"`)).join('');
  });
  return svg(288, `The states ${names.join(', ')}: the text below the picture has each change`, [...boxes, ...arrows]);
}

export const DRAWN = { sequence, states };
