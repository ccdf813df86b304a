/** The parts of the machine that a command uses. */
export type Terminal = {
  /** Writes a line to standard output. */
  out(line: string): void
  /** Writes a line to standard error. */
  err(line: string): void
  /** Whether people read standard output. */
  isTerminal: boolean
  /** Asks on a terminal, without showing a secret; otherwise reads the next line of standard input. */
  ask(question: string, options?: { isSecret?: boolean }): Promise<string>
  /** Returns the text of a file, or of standard input for `-`; throws if it cannot be read. */
  read(file: string): string
  /** The file of the stored credentials. */
  credentialsFile: string
  /** Epoch milliseconds. */
  now(): number
  /** Aborted by Ctrl+C, for commands that run until then; whoever reads it must end by itself. */
  signal: AbortSignal
}
