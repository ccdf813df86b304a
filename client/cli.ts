#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { runCli } from './cli/runCli.ts'
import packageFile from './package.json' with { type: 'json' }

process.exitCode = runCli(process.argv.slice(2), {
  read: (file) => readFileSync(file === '-' ? 0 : file, 'utf8'),
  out: (text) => process.stdout.write(`${text}\n`),
  err: (text) => process.stderr.write(`${text}\n`),
  now: Date.now,
  version: packageFile.version,
})
