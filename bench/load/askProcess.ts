import { fork } from 'node:child_process'
import { ownCores } from './ownCores.ts'

/** `apartFromServers` keeps it to the core of the load, which servers that are told the same leave to it. */
export type ProcessOptions = { apartFromServers?: boolean }

/**
 * Gives a job to a process of its own and returns its answer, so that neither its memory nor its compiled code can
 * disturb what is measured next.
 *
 * The script answers by `answerParent`; what it prints goes to the error stream, which is not part of the report.
 *
 * @throws Error when it ends without an answer, after `timeoutMs` at the latest.
 */
export function askProcess<Answer>(
  script: URL,
  job: unknown,
  timeoutMs: number,
  { apartFromServers = false }: ProcessOptions = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const [execPath = process.execPath, ...execArgv] = [
      ...(apartFromServers ? ownCores('load') : []),
      process.execPath,
      ...process.execArgv,
    ]
    // The advanced form carries NaN, which is what a figure is that could not be taken.
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
        reject(new Error(`${script.pathname} ended with ${signal ?? code} and without an answer`))
    })
    child.send({ job })
  })
}
