import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { findFreePort } from '../test/harness/runner/findFreePort.ts'
import { median } from './load/median.ts'

const USAGE = `usage: node bench/start.ts [--rounds 7] [--root FOLDER]
  Measures the time from starting the process until /api/health responds with 200, and the processor time that it has used
  by then, over an empty data folder and over one that exists. --root measures another checkout.`

const LOOK_MS = 5
/** Unit of the times in /proc, in milliseconds. Source: proc(5), USER_HZ. */
const TICK_MS = 10

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '7' },
    root: { type: 'string', default: resolve(import.meta.dirname, '..') },
    help: { type: 'boolean', default: false },
  },
})

/** Starts the service, waits until it is healthy, and stops it. */
async function measureStart(dataDir: string): Promise<{ ms: number; userMs: number }> {
  const port = await findFreePort()
  const started = performance.now()
  const child = spawn(process.execPath, ['server/main.js'], {
    cwd: values.root,
    env: {
      PATH: process.env.PATH,
      PORT: String(port),
      CHAIN_PORT: '0',
      DATA_DIR: dataDir,
      LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const exited = once(child, 'exit')
  while (!(await isHealthy(port))) {
    if (child.exitCode !== null) throw new Error('the service did not start')
    await pause(LOOK_MS)
  }
  const figures = { ms: performance.now() - started, userMs: readUserMs(child) }
  child.kill('SIGTERM')
  await exited
  return figures
}

function isHealthy(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/api/health`).then(
    ({ status }) => status === 200,
    () => false,
  )
}

/** Without the local chain, which has a process of its own. */
function readUserMs({ pid }: ChildProcess): number {
  const afterName = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1] ?? ''
  return Number(afterName.split(' ')[11]) * TICK_MS
}

async function measure(name: string, dataDirOf: (round: number) => string): Promise<void> {
  const starts: { ms: number; userMs: number }[] = []
  // The first start fills the compile cache and creates the data folder.
  for (let round = 0; round <= Number(values.rounds); round += 1) {
    const figures = await measureStart(dataDirOf(round))
    if (round > 0) starts.push(figures)
  }
  const ms = median(starts.map((start) => start.ms))
  const userMs = median(starts.map((start) => start.userMs))
  console.log(`${name}: healthy after ${Math.round(ms)} ms, ${Math.round(userMs)} ms of processor time`)
}

if (values.help) console.log(USAGE)
else {
  const folder = mkdtempSync(join(tmpdir(), 'svc-start-'))
  try {
    await measure('empty data folder', (round) => join(folder, `empty-${round}`))
    await measure('existing data folder', () => join(folder, 'existing'))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
