// SPDX-License-Identifier: BSL-1.0
// Runs a WebAssembly program: node run.mjs PROGRAM [ARGUMENT...]
import {readFile} from 'node:fs/promises';
import {WASI} from 'node:wasi';

// The program's own name is the first argument: GoogleTest without it runs nothing, and says that all is well.
const wasi = new WASI({version: 'preview1', args: process.argv.slice(2), env: {}, returnOnExit: true});
const program = await WebAssembly.compile(await readFile(process.argv[2]));
const imports = {wasi_snapshot_preview1: wasi.wasiImport};  // Node 18 has no getImportObject()
process.exitCode = wasi.start(await WebAssembly.instantiate(program, imports));
