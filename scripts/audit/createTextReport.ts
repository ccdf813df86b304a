import { styleText } from 'node:util'
import { escapeControlCharacters } from '@svc/core/escapeControlCharacters.ts'

/** Characters that move the cursor, end a line or change the writing direction. */
const CONTROL_CHARACTERS = /[\p{Cc}\u2028-\u202e\u2066-\u2069]/gu

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
    isTerminal ? styleText(style, escapeText(text)) : escapeText(text)
  return {
    title: (text) => write(paint('bold', text)),
    fact: (name, value) => write(`  ${paint('dim', name.padEnd(12))} ${escapeText(value)}`),
    passed: (text) => write(`${paint('green', '✓')} ${escapeText(text)}`),
    warned: (text) => write(`${paint('yellow', '!')} ${escapeText(text)}`),
    failed: (text) => write(`${paint('red', '✗')} ${escapeText(text)}`),
    end: () => undefined,
  }
}

function escapeText(text: string): string {
  return escapeControlCharacters(text, CONTROL_CHARACTERS)
}
