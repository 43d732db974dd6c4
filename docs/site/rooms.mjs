// SPDX-License-Identifier: BSL-1.0
// The rooms of include/anew as a picture, drawn from the includes: who stands on whom.
import { escape } from './highlight.mjs';

const WIDTH = 720;
const [BOX, HIGH, GAP] = [112, 34, 44];

// {room: set of the rooms that it includes}; headers at the first level are umbrellas.
function roomsOf(tree) {
  const rooms = new Map();
  for (const name of tree.files('include/anew')) {
    const room = name.split('/')[2];
    if (!name.includes('/', 'include/anew/'.length)) continue;
    if (!rooms.has(room)) rooms.set(room, new Set());
    for (const [, other] of tree.read(name).matchAll(/^#include [<"]anew\/(\w+)\//gm)) if (other !== room) rooms.get(room).add(other);
  }
  return rooms;
}

export function rooms(tree) {
  const below = roomsOf(tree);
  const reached = (room) => new Set([...below.get(room)].flatMap((other) => [other, ...reached(other)]));
  const level = (room) => 1 + Math.max(-1, ...[...below.get(room)].map(level));
  const rows = [];
  for (const room of below.keys()) (rows[level(room)] ??= []).push(room);
  const at = new Map(rows.flatMap((row, y) => row.map((room, x) =>
    [room, [WIDTH * (x + 0.5) / row.length, (rows.length - 1 - y) * (HIGH + GAP) + HIGH / 2 + 1]])));
  // An arrow that follows from two others says nothing.
  const lines = [...below].flatMap(([room, others]) => [...others].filter((other) =>
    ![...others].some((third) => third !== other && reached(third).has(other))).map((other) => [at.get(room), at.get(other)]));
  const height = rows.length * (HIGH + GAP) - GAP + 2;
  return `<svg class="rooms" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${escape([...rows].reverse().map((row) => row.join(', ')).join('; above '))}">
${lines.map(([[x1, y1], [x2, y2]]) => `<line x1="${x1}" y1="${y1 + HIGH / 2}" x2="${x2}" y2="${y2 - HIGH / 2}"/>`).join('')}
${[...at].map(([room, [x, y]]) => `<rect x="${x - BOX / 2}" y="${y - HIGH / 2}" width="${BOX}" height="${HIGH}" rx="4"/><text x="${x}" y="${y + 5}" text-anchor="middle">${room}</text>`).join('')}</svg>\n`;
}
