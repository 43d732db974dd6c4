// SPDX-License-Identifier: BSL-1.0
// Answers as HTML. Whatever a picture shows is in a table or a list too.
export const escaped = (text) => String(text).replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c]);

export function time(us) {
  if (us === null) return '-';
  if (us < 1000) return us === 0 ? '0' : `${us} µs`;
  if (us < 999_500) return `${Number((us / 1000).toPrecision(3))} ms`;
  return us < 120e6 ? `${Number((us / 1e6).toPrecision(3))} s` : `${Number((us / 60e6).toPrecision(3))} min`;
}
const percent = (part, all) => (all ? `${Number((100 * part / all).toFixed(1))} %` : '-');
const row = (tag, cells) => `<tr>${cells.map((cell, i) =>
  (tag === 'th' ? `<th scope="col">${cell}</th>` : i ? `<td>${cell}</td>` : `<th scope="row">${cell}</th>`)).join('')}</tr>`;
const table = (caption, head, rows) =>
  `<table><caption>${caption}</caption><thead>${row('th', head)}</thead><tbody>${rows.map((cells) => row('td', cells)).join('')}</tbody></table>`;

export function delays(answer) {
  if (!answer.retries.length) return '<p>A call makes no retry.</p>';
  const bars = (bins) => {
    const most = Math.max(...bins);
    return `<svg class="bars" viewBox="0 0 ${bins.length} 10" preserveAspectRatio="none" aria-hidden="true">${bins.map((n, i) =>
      (n ? `<rect x="${i}" width=".9" y="${10 - 10 * n / most}" height="${10 * n / most}"/>` : '')).join('')}</svg>`;
  };
  return table(`The delays before each retry, of ${answer.retries[0].calls} calls; the bars end at ${time(answer.longest)}`,
    ['retry', 'spread', 'half are below', '90 % are below', 'longest'],
    answer.retries.map(({ bins, p50, p90, most }, i) => [i + 1, bars(bins), time(p50), time(p90), time(most)]));
}

// longest: the end of the axis, which two calls share.
export function call(answer, longest) {
  const width = (us) => 1000 * us / Math.max(1, longest);
  const bars = answer.spans.map(({ attempt, got, from, until }) => {
    const kind = attempt ? got === 'ok' ? 'good' : 'bad' : 'wait';
    const [y, height] = attempt ? [0, 40] : [17, 6];
    return `<rect class="${kind}" x="${width(from)}" y="${y}" width="${Math.max(2, width(until - from))}" height="${height}"/>`;
  });
  const said = answer.spans.slice(0, 40).map(({ attempt, got, from, until }) => (attempt
    ? `<li><span>${time(from)}</span> attempt ${attempt}: ${got === 'ok' ? 'an answer' : got} after ${time(until - from)}</li>`
    : `<li class="pause"><span>${time(from)}</span> waits ${time(until - from)}</li>`));
  const end = answer.spans.at(-1)?.until ?? 0;
  return `<svg class="spans" viewBox="0 0 1000 40" preserveAspectRatio="none" aria-hidden="true">${bars.join('')}</svg>
<p><b>${escaped(answer.reason)}</b> after ${answer.attempts} attempt${answer.attempts === 1 ? '' : 's'} and ${time(end)}</p><ol>${said.join('')}</ol>`;
}

const ENDS = {
  failing: (after) => `The fleet has not recovered ${time(after)} after the outage.`,
  'too short': (after) => `The fleet may recover; ${time(after)} after the outage are too short to tell.`,
  collapsed: () => 'The fleet collapsed: there were too many calls and attempts to go on.',
};
export const fleetEnd = (answer, after) => (answer.recovery >= 0
  ? `99 % of the calls succeed again ${time(answer.recovery)} after the outage.` : ENDS[answer.end](after));

// most: the end of the axis, which two fleets share. Times are in seconds, numbers in calls a second.
export function outage(answer, { before, outage, after }, most) {
  const [width, height, left, bottom] = [640, 220, 44, 24];
  const all = before + outage + after;
  const x = (s) => left + (width - left) * s / all;
  const y = (n) => (height - bottom) * (1 - n / most) + 4;
  const line = (name, tenths) => {
    const points = [];
    for (let i = 0; i + 5 <= tenths.length; i += 5) {
      points.push(`${x(i / 10 + .25).toFixed(1)},${y(2 * tenths.slice(i, i + 5).reduce((a, b) => a + b)).toFixed(1)}`);
    }
    return `<polyline class="${name}" points="${points.join(' ')}"/>`;
  };
  const step = 10 ** Math.floor(Math.log10(most)) / (most / 10 ** Math.floor(Math.log10(most)) < 3 ? 2 : 1);
  let axes = '';
  for (let n = 0; n <= most; n += step) {
    axes += `<line x1="${left}" x2="${width}" y1="${y(n)}" y2="${y(n)}"/><text x="${left - 6}" y="${y(n) + 4}" text-anchor="end">${n}</text>`;
  }
  for (let s = 0; s <= all; s += all > 90 ? 20 : 10) axes += `<text x="${x(s)}" y="${height - 4}" text-anchor="${s === all ? 'end' : 'middle'}">${s} s</text>`;
  return `<svg class="fleet" viewBox="0 0 ${width} ${height}" aria-hidden="true">
<rect class="outage" x="${x(before)}" y="4" width="${x(before + outage) - x(before)}" height="${height - bottom}"/>${axes}
${line('calls', answer.calls)}${line('attempts', answer.attempts)}${line('succeeded', answer.succeeded)}</svg>
<p class="key"><span class="calls">calls</span> <span class="attempts">attempts</span> <span class="succeeded">calls that succeed</span> a second</p>
<p><b>${fleetEnd(answer, 1e6 * after)}</b></p>`;
}
export const fleet = (answer, times, most) => `${outage(answer, times, most)}
${table('Of the calls that begin in it', ['phase', 'calls', 'attempts per call', 'fail', 'half end within', '99 % end within'],
    answer.phases.map((of) => [of.name, of.calls, of.calls ? (of.attempts / of.calls).toFixed(2) : '-', percent(of.failed, of.calls),
      time(of.p50), time(of.p99)]))}`;
export const mostOf = (answers) => Math.max(100, ...answers.flatMap(({ attempts, calls }) => [attempts, calls].flatMap((tenths) =>
  tenths.map((n, i) => (i % 5 ? 0 : 2 * tenths.slice(i, i + 5).reduce((a, b) => a + b))))));
