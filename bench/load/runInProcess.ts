import { fork } from 'node:child_process'
import { pinToCores } from './pinToCores.ts'

/** `apartFromServers` pins the process to the core that servers with `apartFromLoad` leave free. */
export type ProcessOptions = { apartFromServers?: boolean }

/**
 * Runs a job in a separate process and returns its result, so that neither its memory nor its compiled code affects the
 * next measurement.
 *
 * The script calls `respondToParent`. Its output goes to stderr, because stdout is for the report.
 *
 * @throws Error if it exits without a result or exceeds `timeoutMs`.
 */
export function runInProcess<Answer>(
  script: URL,
  job: unknown,
  timeoutMs: number,
  { apartFromServers = false }: ProcessOptions = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const [execPath = process.execPath, ...execArgv] = [
      ...(apartFromServers ? pinToCores('load') : []),
      process.execPath,
      ...process.execArgv,
    ]
    // Advanced serialisation preserves NaN, which stands for a figure that could not be measured.
    const child = fork(script, {
      execPath,
      execArgv,
      stdio: ['ignore', 2, 2, 'ipc'],
      serialization: 'advanced',
    })
    const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs)
    let isAnswered = false
    child.once('message', (answer) => {
      isAnswered = true
      resolve(answer as Answer)
    })
    child.once('error', reject)
    child.once('exit', (code, signal) => {
      clearTimeout(timer)
      if (!isAnswered)
        reject(new Error(`${script.pathname} exited with ${signal ?? code} and without a result`))
    })
    child.send({ job })
  })
}
