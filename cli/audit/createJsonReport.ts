import { type AuditReport, formatProven } from './createTextReport.ts'

/** Creates a report that is written as one JSON object when it ends, with the names of facts in camel case. */
export function createJsonReport(write: (text: string) => void): AuditReport {
  const facts: Record<string, unknown> = {}
  const passed: string[] = []
  const warnings: string[] = []
  const notChecked: string[] = []
  const failures: string[] = []
  return {
    title: () => undefined,
    fact(name, value, data = value) {
      facts[name.replace(/ (\w)/g, (_, letter: string) => letter.toUpperCase())] = data
    },
    passed: (text) => void passed.push(text),
    warned: (text) => void warnings.push(text),
    notChecked: (text) => void notChecked.push(text),
    failed: (text) => void failures.push(text),
    proven: () => void passed.push(formatProven(notChecked.length)),
    end: (outcome) =>
      write(JSON.stringify({ outcome, facts, passed, warnings, notChecked, failures }, null, 2)),
  }
}
