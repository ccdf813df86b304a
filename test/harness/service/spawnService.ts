import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'

const MAIN = join(import.meta.dirname, '..', '..', '..', 'server', 'main.js')
const READY_MS = 180_000

export type SpawnOptions = {
  /** The command that starts it, by default node itself. */
  command?: readonly [string, ...string[]]
  /** Whether its processes form their own process group, which `endGroup` can signal. */
  leadsGroup?: boolean
}

export type SpawnedService = {
  process: ChildProcess
  baseUrl: string
  /** Everything it has written to standard output. */
  out(): string
  /** Everything it has written to standard error. */
  log(): string
  /** Sends the signal and resolves with the exit code, or null if the signal terminated it. */
  end(signal: NodeJS.Signals): Promise<number | null>
  /** Sends the signals to the whole group in quick succession, and resolves as `end` does. */
  endGroup(...signals: NodeJS.Signals[]): Promise<number | null>
}

/**
 * Starts the service in a child process, as `npm start` does; resolves when it prints `ready`.
 *
 * @throws Error with its standard error if it exits before that.
 */
export function spawnService(
  settings: Record<string, string>,
  { command: [program, ...words] = [process.execPath, MAIN], leadsGroup = false }: SpawnOptions = {},
): Promise<SpawnedService> {
  const child = spawn(program, words, {
    env: { PATH: process.env.PATH, ...settings },
    detached: leadsGroup,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let out = ''
  let log = ''
  child.stderr.on('data', (chunk) => {
    log += chunk
  })
  const exited = new Promise<number | null>((resolve) => child.on('exit', (code) => resolve(code)))
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => child.kill('SIGKILL'), READY_MS)
    exited.then((code) => {
      clearTimeout(timer)
      const how = code === null ? `by ${child.signalCode}` : `with code ${code}`
      reject(new Error(`the service exited ${how} before it was ready: ${log}`))
    })
    child.stdout.on('data', (chunk) => {
      out += chunk
      if (!String(chunk).includes('ready ')) return
      clearTimeout(timer)
      resolve({
        process: child,
        baseUrl: `http://127.0.0.1:${settings.PORT}`,
        out: () => out,
        log: () => log,
        end(signal) {
          child.kill(signal)
          return exited
        },
        endGroup(...signals) {
          for (const signal of signals) process.kill(-(child.pid ?? 0), signal)
          return exited
        },
      })
    })
  })
}
