import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { pinToCores } from './pinToCores.ts'

const READY_MS = 60_000
const STOP_MS = 20_000

/** A server in a separate process. */
export type RunningServer = {
  readonly url: string
  readonly pid: number
  /** Current resident memory of the process, in megabytes. */
  residentMb(): number
  /** Sends SIGTERM, waits for the exit, and kills the process after a timeout. */
  stop(): Promise<void>
}

/** What to start, and how. */
export type ServerStart = {
  script: URL
  /** Arguments for Node itself. */
  nodeArgs?: readonly string[] | undefined
  args?: readonly string[]
  env?: Record<string, string>
  port: number
  /** Pins the server, with its threads and children, to the cores that the load generator does not use. */
  apartFromLoad?: boolean | undefined
}

/**
 * Starts a Node server and waits until it prints `ready http://…`.
 *
 * Its environment contains only PATH, HOME and `env`, so that settings in the caller's shell do not affect the figures.
 *
 * @throws Error if it exits first or does not print the line within a minute.
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
    ...(apartFromLoad ? pinToCores('servers') : []),
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
    if (!isStopping) process.stderr.write(`${script.pathname} exited unexpectedly: ${signal ?? code}\n`)
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
  const { pid = 0 } = child
  return { url: `http://127.0.0.1:${port}`, pid, residentMb: () => residentMb(pid), stop }
}

function residentMb(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1_024
}
