import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { createInterface, type Interface } from 'node:readline'
import { Writable } from 'node:stream'
import type { Terminal } from './terminal.ts'

/**
 * Opens the terminal of a process. `close` lets the process end although it read from standard input.
 *
 * @param home Finds the home directory; fails for a user without one, as in a container, who has no stored credentials.
 */
export function openTerminal(
  host: NodeJS.Process,
  home: () => string = homedir,
): Terminal & { close(): void } {
  const stopping = new AbortController()
  let isListening = false
  const input = createInput(host)
  return {
    out: (line) => void host.stdout.write(`${line}\n`),
    err: (line) => void host.stderr.write(`${line}\n`),
    isTerminal: host.stdout.isTTY === true,
    ask: input.ask,
    read: (file) => readFileSync(file === '-' ? 0 : file, 'utf8'),
    credentialsFile: join(configFolder(host, home), 'svc', 'credentials.json'),
    now: Date.now,
    // Other commands end at the signal itself, whatever they are doing.
    get signal() {
      if (!isListening)
        for (const signal of ['SIGINT', 'SIGTERM'] as const) host.on(signal, () => stopping.abort())
      isListening = true
      return stopping.signal
    },
    close: input.close,
  }
}

/** Where nothing can be stored: the home directory of users without one. Source: Debian Policy 9.2.2. */
const NO_HOME = '/nonexistent'

/** Source: XDG Base Directory Specification. */
function configFolder({ env, platform }: NodeJS.Process, home: () => string): string {
  if (env.XDG_CONFIG_HOME) return env.XDG_CONFIG_HOME
  if (platform === 'win32' && env.APPDATA) return env.APPDATA
  try {
    return join(home(), '.config')
  } catch {
    return join(NO_HOME, '.config')
  }
}

function createInput({ stdin, stderr, kill, pid }: NodeJS.Process) {
  let reader: Interface | undefined
  let lines: AsyncIterator<string> | undefined
  let isMuted = false
  // Readline echoes what is typed here. Prompts go to standard error, so that standard output stays parseable.
  const output = new Writable({
    write(chunk, _, done) {
      if (!isMuted) stderr.write(chunk)
      done()
    },
  })

  function open(): AsyncIterator<string> {
    reader = createInterface({ input: stdin, output, terminal: stdin.isTTY === true })
    // Readline takes Ctrl+C away from the process.
    reader.on('SIGINT', () => {
      reader?.close()
      kill(pid, 'SIGINT')
    })
    return reader[Symbol.asyncIterator]()
  }

  return {
    async ask(question: string, { isSecret = false } = {}): Promise<string> {
      lines ??= open()
      if (stdin.isTTY) stderr.write(`${question}: `)
      isMuted = isSecret
      const { value, done } = await lines.next()
      isMuted = false
      if (stdin.isTTY && isSecret) stderr.write('\n')
      return done ? '' : value.trim()
    },
    close: () => reader?.close(),
  }
}
