// SPDX-License-Identifier: BSL-1.0
// The page: what is chosen and typed goes to the library, and its answers are drawn. SCRIPT and MODULE stand in the page.
import { request } from './module.mjs';
import { aliasOf, jsonOf, nameOf, placeOf, textOf, withPolicy, wordsOf } from './text.mjs';
import { call, delays, escaped, fleet, mostOf } from './draw.mjs';
import { connect, latest } from './client.mjs';

const $ = (id) => document.getElementById(id);
const ask = connect(document.getElementById('worker').textContent, document.getElementById('module').textContent);
const sides = ['a', 'b'];
const numbers = ['rate', 'remaining', 'outage', 'clients', 'timeout'];
const chosen = ['mode', 'kind', 'script'];
const roleOf = {};
for (const menu of document.querySelectorAll('#a-roles select')) {
  for (const { value } of menu.options) if (value) roleOf[nameOf(value)] = menu.dataset.role;
}
const shown = () => sides.filter((side) => !$(side).hidden);

// The state is in the address, behind #.
function save() {
  const state = new URLSearchParams();
  for (const side of shown()) state.set(side === 'a' ? 's' : side, $(`${side}-text`).value);
  for (const name of [...numbers, ...chosen]) if ($(name).value !== $(name).dataset.usual) state.set(name, $(name).value);
  location.replace(`#${state}`);
}
function restore() {
  const state = new URLSearchParams(location.hash.slice(1));
  if (state.has('s')) $('a-text').value = state.get('s');
  if (state.has('b')) $('b-text').value = state.get('b');
  $('b').hidden = !state.has('b');
  for (const name of [...numbers, ...chosen]) {
    $(name).dataset.usual ??= $(name).value;
    $(name).value = state.get(name) ?? $(name).dataset.usual;
  }
  showB();
}
function showB() {
  document.body.classList.toggle('two', !$('b').hidden);
  $('compare').hidden = !$('b').hidden;
}

function showFault(side, answer) {
  const text = $(`${side}-text`);
  const [begin, end] = answer.ok ? [0, 0] : placeOf(text.value, answer);
  $(`${side}-under`).innerHTML = `${escaped(text.value.slice(0, begin))}<mark>${escaped(text.value.slice(begin, end))}</mark>` +
    escaped(text.value.slice(end));
  text.setAttribute('aria-invalid', String(!answer.ok));
  const said = answer.ok ? answer.promises : answer.what;
  if ($(`${side}-said`).textContent !== said) $(`${side}-said`).textContent = said;
  $(`${side}-said`).classList.toggle('fault', !answer.ok);
}
function showMenus(side, answer) {
  for (const menu of document.querySelectorAll(`#${side}-roles select`)) {
    const word = wordsOf($(`${side}-text`).value).find((one) => roleOf[nameOf(one)] === menu.dataset.role);
    const all = [...menu.options];
    for (const option of all) option.value = option.textContent = (option.dataset.example ??= option.value);
    const option = word && (all.find(({ value }) => value === word) ?? all.find(({ value }) => nameOf(value) === nameOf(word)));
    if (option) option.value = option.textContent = word;
    menu.selectedIndex = option ? option.index : 0;
    const usual = word ? '' : answer.policies?.find(({ role }) => role === menu.dataset.role)?.text;
    all[0].textContent = usual ? `${usual} (default)` : 'default';
  }
}
function showToGo(side, { policies }) {
  const forms = { alias: aliasOf(policies, side === 'a' ? 'my_strategy' : 'my_other_strategy'), text: textOf(policies), json: jsonOf(policies) };
  for (const [form, text] of Object.entries(forms)) $(`${side}-as-${form}`).textContent = text;
}
const show = (side, id, html) => { $(`${side}-${id}`).innerHTML = html; };

const draw = latest(async (isOld) => {
  const present = shown();
  const texts = present.map((side) => $(`${side}-text`).value);
  const of = { rate: $('rate').value, clients: $('clients').value, remaining: $('remaining').value, mode: $('mode').value,
    outage: 1000 * $('outage').value, timeout: $('timeout').value };
  for (const name of numbers) $(`${name}-is`).textContent = `${$(name).value} ${$(name).dataset.unit}`.trim();
  const quick = await ask(texts.flatMap((text) => [request('check', {}, text), request('delays', { kind: $('kind').value }, text),
    request('call', { script: $('script').value }, text)]));
  const answers = present.map((side, i) => ({ side, text: texts[i], check: quick[3 * i], delays: quick[3 * i + 1], call: quick[3 * i + 2] }));
  for (const { side, check } of answers) {
    showFault(side, check);
    showMenus(side, check);
    for (const part of ['delays', 'call', 'fleet', 'as-alias', 'as-text', 'as-json']) if (!check.ok) show(side, part, '');
  }
  const good = answers.filter(({ check }) => check.ok);
  const longest = Math.max(0, ...good.map((one) => one.call.spans.at(-1)?.until ?? 0));
  for (const one of good) {
    show(one.side, 'delays', delays(one.delays));
    show(one.side, 'call', call(one.call, longest));
    showToGo(one.side, one.check);
  }
  save();
  if (isOld()) return;
  const fleets = await ask(good.map(({ text }) => request('fleet', of, text)));
  const most = mostOf(fleets);
  good.forEach(({ side }, i) => show(side, 'fleet', fleet(fleets[i], { before: 5, outage: of.outage / 1000, after: 45 }, most)));
  document.body.dataset.drawn = String(1 + Number(document.body.dataset.drawn ?? 0));
});

restore();
for (const side of sides) {
  $(side).addEventListener('click', ({ target }) => {
    if (target.dataset.text === undefined) return;
    $(`${side}-text`).value = target.dataset.text;
    draw();
  });
  $(`${side}-roles`).addEventListener('change', ({ target }) => {
    $(`${side}-text`).value = withPolicy($(`${side}-text`).value, roleOf, target.dataset.role, target.value);
    draw();
  });
  $(`${side}-text`).addEventListener('input', draw);
  $(`${side}-text`).addEventListener('scroll', ({ target }) => { $(`${side}-under`).scrollTop = target.scrollTop; });
}
for (const name of [...numbers, ...chosen]) $(name).addEventListener('input', draw);
$('compare').onclick = () => {
  $('b').hidden = false;
  showB();
  $('b-text').focus();
  draw();
};
$('alone').onclick = () => {
  $('b').hidden = true;
  showB();
  $('compare').focus();
  draw();
};
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const room = document.body.appendChild(document.createElement('textarea'));
    room.value = text;
    room.select();
    document.execCommand('copy');
    room.remove();
  }
  $('copied').textContent = 'Copied.';
  setTimeout(() => { $('copied').textContent = ''; }, 2000);
}
document.addEventListener('click', ({ target }) => {
  if (target.dataset.copy) copy(target.dataset.copy === 'link' ? location.href : $(target.dataset.copy).textContent);
});
window.addEventListener('hashchange', () => {
  const state = new URLSearchParams(location.hash.slice(1));
  if ((state.get('s') ?? '') === $('a-text').value && state.get('b') === ($('b').hidden ? null : $('b-text').value)) return;
  restore();
  draw();
});
draw();
