/** Mirrors audit logs to a second chain: `npm run mirror -- --help`. */

import { once } from 'node:events'
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
  const { signal } = terminal
  // A transaction may take minutes. One whose outcome was not seen is found on chain by the next start.
  const stopped = once(signal, 'abort').then(() => EXIT.done)
  const host = {
    ...terminal,
    ...{ signal, env: process.env },
    pause: (ms: number, until: AbortSignal) => pause(ms, undefined, { signal: until }).catch(() => undefined),
  }
  try {
    return await Promise.race([runMirrorCommand(args, host), stopped])
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    terminal.err(`${error.message}\nTry "npm run mirror -- --help".`)
    return EXIT.unusable
  }
}

const code = await run()
terminal.close()
process.exit(code)
