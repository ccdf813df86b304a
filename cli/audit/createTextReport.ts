import { styleText } from 'node:util'
import { escapeForTerminal } from '@svc/core/escapeForTerminal.ts'

/** The outcome of an audit; `unchecked` means that something needed for the check was not available. */
export type AuditOutcome = 'proven' | 'refuted' | 'unchecked'

/** Receives the findings of an audit. */
export type AuditReport = {
  title(text: string): void
  /** @param data The value for programs; the text by default. */
  fact(name: string, value: string, data?: unknown): void
  passed(text: string): void
  /** Something that is odd, although it refutes nothing. */
  warned(text: string): void
  /** Something that may be taken for checked, but was not, and how it can be. */
  notChecked(text: string): void
  failed(text: string): void
  /** States that everything was proven, except for what was reported as not checked. */
  proven(): void
  /** Ends the report. */
  end(outcome: AuditOutcome): void
}

/** Words the verdict, which must not say more than was checked. @param unchecked How much was not. */
export function formatProven(unchecked: number): string {
  if (unchecked === 0) return 'PROVEN.'
  return `PROVEN, except for what was not checked: ${unchecked === 1 ? 'one point' : `${unchecked} points`} above.`
}

/**
 * Creates a report that is written line by line, with colours only on a terminal.
 *
 * Control characters are escaped, because the report quotes the checked documents, whose authors must not be able to forge
 * lines of it.
 */
export function createTextReport(write: (line: string) => void, isTerminal: boolean): AuditReport {
  const paint = (style: Parameters<typeof styleText>[0], text: string) =>
    isTerminal ? styleText(style, escapeForTerminal(text)) : escapeForTerminal(text)
  const pass = (text: string) => write(`${paint('green', '✓')} ${escapeForTerminal(text)}`)
  let unchecked = 0
  return {
    title: (text) => write(paint('bold', text)),
    fact: (name, value) => write(`  ${paint('dim', name.padEnd(12))} ${escapeForTerminal(value)}`),
    passed: pass,
    warned: (text) => write(`${paint('yellow', '!')} ${escapeForTerminal(text)}`),
    notChecked(text) {
      unchecked += 1
      write(`${paint('yellow', '?')} not checked: ${escapeForTerminal(text)}`)
    },
    proven: () => pass(formatProven(unchecked)),
    failed: (text) => write(`${paint('red', '✗')} ${escapeForTerminal(text)}`),
    end: () => undefined,
  }
}
