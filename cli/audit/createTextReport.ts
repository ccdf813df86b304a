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
  warned(text: string): void
  failed(text: string): void
  /** Ends the report. */
  end(outcome: AuditOutcome): void
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
  return {
    title: (text) => write(paint('bold', text)),
    fact: (name, value) => write(`  ${paint('dim', name.padEnd(12))} ${escapeForTerminal(value)}`),
    passed: (text) => write(`${paint('green', '✓')} ${escapeForTerminal(text)}`),
    warned: (text) => write(`${paint('yellow', '!')} ${escapeForTerminal(text)}`),
    failed: (text) => write(`${paint('red', '✗')} ${escapeForTerminal(text)}`),
    end: () => undefined,
  }
}
