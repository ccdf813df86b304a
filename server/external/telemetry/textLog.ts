import { styleText } from 'node:util'
import { escapeForTerminal } from '@svc/core/escapeForTerminal.ts'
import type { DestinationStream } from 'pino'

const LEVELS: Readonly<Record<number, { name: string; style: Parameters<typeof styleText>[0] }>> = {
  10: { name: 'trace', style: 'dim' },
  20: { name: 'debug', style: 'dim' },
  30: { name: 'info', style: 'cyan' },
  40: { name: 'warn', style: 'yellow' },
  50: { name: 'error', style: 'red' },
  60: { name: 'fatal', style: 'red' },
}
const TEXT_MAX = 300

/**
 * Creates a destination for the log that people read: one line an entry, `09:24:27 warn  message  name=value`.
 *
 * An error is shown by its message, without a stack; `LOG_FORMAT=json` has the whole entry. Control characters are escaped,
 * because entries quote what callers sent. The stream decides on colours (terminal, NO_COLOR).
 */
export function createTextLog(stream: NodeJS.WritableStream): DestinationStream {
  return { write: (line) => void stream.write(`${formatEntry(line, stream)}\n`) }
}

function formatEntry(line: string, stream: NodeJS.WritableStream): string {
  const { level, time, msg, ...rest } = JSON.parse(line)
  const { name, style } = LEVELS[level] ?? { name: String(level), style: 'dim' as const }
  const values = Object.entries(rest).map(([key, value]) => `${key}=${formatValue(value)}`)
  const text = [msg ?? '', ...values].join('  ')
  return [
    styleText('dim', new Date(time).toTimeString().slice(0, 8), { stream }),
    styleText(style, name.padEnd(5), { stream }),
    escapeForTerminal(text),
  ].join(' ')
}

function formatValue(value: unknown): string {
  const isError = typeof value === 'object' && value !== null && 'stack' in value && 'message' in value
  const shown = isError ? value.message : value
  const text = typeof shown === 'string' ? shown : JSON.stringify(shown)
  return text.length > TEXT_MAX ? `${text.slice(0, TEXT_MAX)}…` : text
}
