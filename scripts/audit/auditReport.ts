import { styleText } from 'node:util'

/** What the auditor reads. */
export type AuditReport = {
  title(text: string): void
  fact(name: string, value: string): void
  passed(text: string): void
  warned(text: string): void
  failed(text: string): void
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
  }
}
