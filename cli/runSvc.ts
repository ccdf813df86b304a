import { isUnavailable, SvcApiError } from '@svc/client/http/svcApiError.ts'
import { escapeForTerminal } from '@svc/core/escapeForTerminal.ts'
import { agents } from './commands/agents.ts'
import { audit } from './commands/audit.ts'
import type { Command } from './commands/command.ts'
import { endpoints } from './commands/endpoints.ts'
import { events } from './commands/events.ts'
import { login } from './commands/login.ts'
import { logout } from './commands/logout.ts'
import { policy } from './commands/policy.ts'
import { verify } from './commands/verify.ts'
import { EXIT } from './exitCodes.ts'
import { NotSignedIn } from './session/notSignedIn.ts'
import type { Terminal } from './terminal/terminal.ts'
import { UsageError } from './terminal/usageError.ts'
import { VERSION } from './version.ts'

const COMMANDS: Readonly<Record<string, Command>> = {
  login,
  logout,
  verify,
  agents,
  endpoints,
  events,
  audit,
  policy,
}

const USAGE = `Verifies agents, and shows what your account has and what happens to it.

${Object.entries(COMMANDS)
  .map(([name, { summary }]) => `  svc ${name.padEnd(10)} ${summary}`)
  .join('\n')}

"svc COMMAND --help" describes a command, "svc --version" prints the version. With --json, results are JSON on standard output and errors JSON on standard error.

Exit code: 0 done, granted or proven; 1 denied, refuted, or findings with --strict; 2 wrong arguments or input, or a check
that could not be done; 3 needs the owner's approval; 4 not signed in, or refused by the service; 5 service unavailable.`

/** Runs one command and returns its exit code. */
export async function runSvc(args: readonly string[], terminal: Terminal): Promise<number> {
  const [name = '', ...rest] = args
  if (['', '--help', '-h', 'help'].includes(name)) {
    terminal.out(USAGE)
    return name === '' ? EXIT.unusable : EXIT.done
  }
  if (name === '--version') {
    terminal.out(VERSION)
    return EXIT.done
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  const isJson = rest.includes('--json')
  try {
    if (command === undefined) throw new UsageError(`Unknown command "${name}".`)
    if (command.usage !== '' && rest.some((word) => word === '--help' || word === '-h')) {
      terminal.out(command.usage)
      return EXIT.done
    }
    return await command.run(rest, terminal)
  } catch (error) {
    const failure = explain(error)
    if (failure === null) throw error
    const { exitCode, code, message } = failure
    const known = command === undefined ? '' : ` ${name}`
    const hint = error instanceof UsageError ? `\nTry "svc${known} --help".` : ''
    terminal.err(
      isJson ? JSON.stringify({ error: { code, message } }) : `${escapeForTerminal(message)}${hint}`,
    )
    return exitCode
  }
}

/** Null for a fault of this program. */
function explain(error: unknown): { exitCode: number; code: string; message: string } | null {
  if (error instanceof UsageError) {
    return { exitCode: EXIT.unusable, code: 'USAGE', message: error.message }
  }
  if (error instanceof NotSignedIn) {
    return { exitCode: EXIT.refused, code: 'NOT_SIGNED_IN', message: error.message }
  }
  if (!(error instanceof SvcApiError)) return null
  const { code, status, errors, message: said } = error
  if (isUnavailable(error)) return { exitCode: EXIT.unavailable, code, message: `${said} (${code})` }
  if (status === 401) {
    const message = `The service does not accept these credentials (${code}): ${said}`
    return { exitCode: EXIT.refused, code, message }
  }
  // The service's own message says what is wrong with the first field.
  const faults = errors.map(({ pointer, message }) => `${pointer || 'body'}: ${message}`)
  const details = [said, ...faults.filter((fault) => fault !== said)].join('; ')
  const exitCode = status === 403 ? EXIT.refused : EXIT.unusable
  return { exitCode, code, message: `The service refused the request (${code}): ${details}` }
}
