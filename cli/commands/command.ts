import type { Terminal } from '../terminal/terminal.ts'

/** One command of `svc`. */
export type Command = {
  /** One line for the list of commands. */
  summary: string
  usage: string
  /** Returns the exit code. */
  run(args: readonly string[], terminal: Terminal): Promise<number>
}
