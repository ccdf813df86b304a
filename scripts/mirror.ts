/** Mirrors audit logs to a second chain: `npm run mirror -- --help`. */

import { setTimeout as pause } from 'node:timers/promises'
import { EXIT } from '../cli/exitCodes.ts'
import { openTerminal } from '../cli/terminal/openTerminal.ts'
import { UsageError } from '../cli/terminal/usageError.ts'
import { renderMirrorUsage } from './mirror/renderMirrorUsage.ts'
import { runMirrorCommand } from './mirror/runMirrorCommand.ts'

const args = process.argv.slice(2)
const terminal = openTerminal(process)

async function run(): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    terminal.out(renderMirrorUsage('npm run mirror --'))
    return EXIT.done
  }
  try {
    return await runMirrorCommand(args, {
      ...terminal,
      signal: terminal.signal,
      env: process.env,
      pause: (ms, signal) => pause(ms, undefined, { signal }).catch(() => undefined),
    })
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    terminal.err(`${error.message}\nTry "npm run mirror -- --help".`)
    return EXIT.unusable
  }
}

process.exitCode = await run()
terminal.close()
// What waits for a transaction would keep the process.
if (terminal.signal.aborted) process.exit()
