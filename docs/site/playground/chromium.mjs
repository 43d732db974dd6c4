// SPDX-License-Identifier: BSL-1.0
// A page in Chromium, by its protocol over a pipe: no package is needed for the few calls that the checks make.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

export class Chromium {
  #last = 0;
  #waiting = new Map();
  #rest = '';

  constructor(program = 'chromium') {
    this.profile = fs.mkdtempSync(path.join(os.tmpdir(), 'anew-chromium-'));
    this.process = spawn(program, ['--headless=new', '--no-sandbox', '--disable-gpu', '--remote-debugging-pipe', '--hide-scrollbars',
      `--user-data-dir=${this.profile}`], { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });
    this.errors = [];  // of the page
    process.on('exit', () => this.process.kill());
    this.process.stdio[4].setEncoding('utf8').on('data', (data) => this.#receive(data));
  }

  async #receive(data) {
    const messages = (this.#rest + data).split('\0');
    this.#rest = messages.pop();
    for (const { id, result, error, method, params } of messages.map((message) => JSON.parse(message))) {
      if (id) {
        const { done, fail } = this.#waiting.get(id);
        this.#waiting.delete(id);
        if (error) fail(new Error(error.message));
        else done(result);
      } else if (method === 'Runtime.exceptionThrown') {
        this.errors.push(params.exceptionDetails.exception?.description ?? params.exceptionDetails.text);
      } else if (method === 'Log.entryAdded' && params.entry.level === 'error') this.errors.push(params.entry.text);
    }
  }

  send(method, params = {}) {
    const id = ++this.#last;
    this.process.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId: this.session })}\0`);
    return new Promise((done, fail) => { this.#waiting.set(id, { done, fail }); });
  }

  async begin() {
    const { targetId } = await this.send('Target.createTarget', { url: 'about:blank' });
    this.session = (await this.send('Target.attachToTarget', { targetId, flatten: true })).sessionId;
    for (const domain of ['Page', 'Runtime', 'Log']) await this.send(`${domain}.enable`);
  }

  async open(url) {
    await this.send('Page.navigate', { url: 'about:blank' });
    await this.send('Page.navigate', { url });
  }

  // How wide the window is, and whether the system prefers dark.
  async look(width, scheme) {
    await this.send('Emulation.setDeviceMetricsOverride', { width, height: 900, deviceScaleFactor: 1, mobile: false });
    await this.send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: scheme }] });
  }

  async evaluate(expression) {
    const { result, exceptionDetails } = await this.send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  }

  // Waits for the page, not for a time; the process of the checks ends it where it never comes.
  async until(expression) {
    while (!await this.evaluate(`!!(${expression})`)) await this.evaluate('new Promise(requestAnimationFrame)');
  }

  async picture(file) {
    const { contentSize } = await this.send('Page.getLayoutMetrics').then((m) => ({ contentSize: m.cssContentSize }));
    const clip = { x: 0, y: 0, width: contentSize.width, height: contentSize.height, scale: 1 };
    const { data } = await this.send('Page.captureScreenshot', { clip, captureBeyondViewport: true });
    fs.writeFileSync(file, Buffer.from(data, 'base64'));
  }

  async close() {
    const ended = new Promise((done) => { this.process.once('exit', done); });
    this.send('Browser.close').catch(() => {});
    await ended;
    fs.rmSync(this.profile, { recursive: true, force: true });
  }
}
