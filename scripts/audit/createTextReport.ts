import { styleText } from 'node:util'
import { escapeControlCharacters } from '@svc/core/escapeControlCharacters.ts'

/** Signs that move the cursor, end a line or turn the direction of writing. */
const OBEYED = /[\p{Cc}\u2028-\u202e\u2066-\u2069]/gu

/** What came of an audit: `unchecked` is neither, because something needed was not there. */
export type AuditOutcome = 'proven' | 'refuted' | 'unchecked'

/** What the auditor reads. */
export type AuditReport = {
  title(text: string): void
  /** `data` is the same for programs; the text when left out. */
  fact(name: string, value: string, data?: unknown): void
  passed(text: string): void
  warned(text: string): void
  failed(text: string): void
  /** Nothing follows. */
  end(outcome: AuditOutcome): void
}

/**
 * Writes a report line by line, with colours only where somebody looks at a terminal.
 *
 * Sentences quote the documents that are checked: whoever made one must not be able to write lines of the report.
 */
export function createTextReport(write: (line: string) => void, isTerminal: boolean): AuditReport {
  const paint = (style: Parameters<typeof styleText>[0], text: string) =>
    isTerminal ? styleText(style, visibleText(text)) : visibleText(text)
  return {
    title: (text) => write(paint('bold', text)),
    fact: (name, value) => write(`  ${paint('dim', name.padEnd(12))} ${visibleText(value)}`),
    passed: (text) => write(`${paint('green', '✓')} ${visibleText(text)}`),
    warned: (text) => write(`${paint('yellow', '!')} ${visibleText(text)}`),
    failed: (text) => write(`${paint('red', '✗')} ${visibleText(text)}`),
    end: () => undefined,
  }
}

function visibleText(text: string): string {
  return escapeControlCharacters(text, OBEYED)
}
