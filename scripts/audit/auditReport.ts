import { styleText } from 'node:util'

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

/** Writes a report line by line, with colours only where somebody looks at a terminal. */
export function auditReport(write: (line: string) => void, isTerminal: boolean): AuditReport {
  const paint = (style: Parameters<typeof styleText>[0], text: string) =>
    isTerminal ? styleText(style, text) : text
  return {
    title: (text) => write(paint('bold', text)),
    fact: (name, value) => write(`  ${paint('dim', name.padEnd(12))} ${value}`),
    passed: (text) => write(`${paint('green', '✓')} ${text}`),
    warned: (text) => write(`${paint('yellow', '!')} ${text}`),
    failed: (text) => write(`${paint('red', '✗')} ${text}`),
    end: () => undefined,
  }
}
