import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runSvc } from '../../cli/runSvc.ts'
import { createTemporaryFolder } from '../harness/runner/createTemporaryFolder.ts'

const SVC = join(import.meta.dirname, '../../cli/svc.ts')

export type SvcRun = { code: number | null; out: string; err: string }

/** Reads what a command printed with `--json`. */
export const json = ({ out }: SvcRun) => JSON.parse(out)
/** Reads the error that a command reported with `--json`. */
export const errorOf = ({ err }: SvcRun) => JSON.parse(err).error

/**
 * Opens `svc` as one user has it, with a config folder of its own.
 *
 * @param command How its process is started; by default from its source.
 */
export function openSvc(command: readonly [string, ...string[]] = [process.execPath, SVC]) {
  const folder = createTemporaryFolder()
  const [program, ...words] = command
  const env = { PATH: process.env.PATH, HOME: folder.path, XDG_CONFIG_HOME: join(folder.path, 'config') }
  const credentialsFile = join(env.XDG_CONFIG_HOME, 'svc', 'credentials.json')

  /** Starts a process; `input` is its standard input. */
  function start(args: readonly string[], input = '') {
    const child = spawn(program, [...words, ...args], { env, cwd: folder.path, stdio: 'pipe' })
    const written = { out: '', err: '' }
    child.stdout.on('data', (chunk) => {
      written.out += chunk
    })
    child.stderr.on('data', (chunk) => {
      written.err += chunk
    })
    child.stdin.end(input)
    const closed = once(child, 'close')
    return {
      written,
      async stop(): Promise<SvcRun> {
        child.kill('SIGINT')
        const [code] = await closed
        return { code, ...written }
      },
      async ended(): Promise<SvcRun> {
        const [code] = await closed
        return { code, ...written }
      },
    }
  }

  return {
    folder: folder.path,
    credentialsFile,
    start,
    /** Runs a command in this process, which saves half a second. */
    async run(args: readonly string[], ...answers: string[]): Promise<SvcRun> {
      const written = { out: '', err: '' }
      const code = await runSvc(args, {
        out: (line) => {
          written.out += `${line}\n`
        },
        err: (line) => {
          written.err += `${line}\n`
        },
        isTerminal: false,
        ask: async () => answers.shift() ?? '',
        read: (file) => readFileSync(file, 'utf8'),
        credentialsFile,
        now: Date.now,
        signal: new AbortController().signal,
      })
      return { code, ...written }
    },
    remove: folder.remove,
  }
}
