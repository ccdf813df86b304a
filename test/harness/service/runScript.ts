import { execFile } from 'node:child_process'
import { join } from 'node:path'

const SCRIPTS = join(import.meta.dirname, '..', '..', '..', 'scripts')

export type ScriptRun = { code: number; stdout: string; stderr: string }

/** Runs one of the scripts as `npm run` does, with only these settings. */
export function runScript(
  name: string,
  words: readonly string[],
  settings: Record<string, string> = {},
): Promise<ScriptRun> {
  return new Promise((resolve) => {
    const { PATH, NODE_COMPILE_CACHE } = process.env
    const env = { PATH, NODE_COMPILE_CACHE, ...settings }
    const child = execFile(process.execPath, [join(SCRIPTS, name), ...words], { env }, (_, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    )
  })
}
