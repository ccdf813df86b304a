import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'

const MAIN = join(import.meta.dirname, '..', '..', '..', 'server', 'main.js')
const READY_MS = 60_000

type SpawnOptions = {
  /** What starts it; node itself unless given. */
  command?: readonly [string, ...string[]]
  /** Whether its processes are a group of their own, which `endGroup` can reach. */
  leadsGroup?: boolean
}

export type SpawnedService = {
  process: ChildProcess
  baseUrl: string
  /** All that it wrote on standard output. */
  out(): string
  /** All that it wrote on standard error. */
  log(): string
  /** Sends the signal and resolves with the exit code, null when the signal ended it. */
  end(signal: NodeJS.Signals): Promise<number | null>
  /** Sends the signals to its whole group, one right after the other, and resolves as `end` does. */
  endGroup(...signals: NodeJS.Signals[]): Promise<number | null>
}

/**
 * The service in a process of its own, as `npm start` runs it; resolves when it says `ready`.
 *
 * @throws Error with its standard error when it ends before that.
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
      reject(new Error(`the service ended ${how} before it was ready: ${log}`))
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
