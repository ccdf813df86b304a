import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { ownCores } from './ownCores.ts'

const READY_MS = 60_000
const STOP_MS = 20_000

/** A server in a process of its own. */
export type RunningServer = {
  readonly url: string
  /** Megabytes that its process holds in memory now. */
  residentMb(): number
  /** Asks it to end, waits for it, and kills it when it does not. */
  stop(): Promise<void>
}

/** What to start, and how. */
export type ServerStart = {
  script: URL
  /** Arguments of Node itself. */
  nodeArgs?: readonly string[] | undefined
  args?: readonly string[]
  env?: Record<string, string>
  port: number
  /** Keeps it, with its threads and children, off the core of a load that is told the same. */
  apartFromLoad?: boolean | undefined
}

/**
 * Starts a Node server and waits for its line `ready http://…` on the output.
 *
 * Its environment is the path and what is given: settings of the caller's shell have no part in the figures.
 *
 * @throws Error when it ends before that line or does not print it within a minute.
 */
export async function startServer({
  script,
  nodeArgs = [],
  args = [],
  env = {},
  port,
  apartFromLoad = false,
}: ServerStart): Promise<RunningServer> {
  const [command = process.execPath, ...rest] = [
    ...(apartFromLoad ? ownCores('servers') : []),
    process.execPath,
    ...nodeArgs,
    fileURLToPath(script),
    ...args,
  ]
  const child = spawn(command, rest, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
  })
  const ended = once(child, 'exit')
  const ready = new Promise<boolean>((resolve) => {
    createInterface(child.stdout).on('line', (line) => line.startsWith('ready http') && resolve(true))
    ended.then(() => resolve(false))
    setTimeout(() => resolve(false), READY_MS).unref()
  })
  let isStopping = false
  ended.then(([code, signal]) => {
    if (!isStopping) process.stderr.write(`${script.pathname} ended by itself: ${signal ?? code}\n`)
  })
  const stop = async () => {
    isStopping = true
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM')
    await ended
    clearTimeout(timer)
  }
  if (!(await ready)) {
    await stop()
    throw new Error(`${script.pathname} did not become ready`)
  }
  return { url: `http://127.0.0.1:${port}`, residentMb: () => residentMb(child.pid), stop }
}

function residentMb(pid: number | undefined): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1_024
}
