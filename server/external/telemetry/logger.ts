import { type DestinationStream, type Logger, pino } from 'pino'
import { createTextLog } from './textLog.ts'

export type { Logger }

/**
 * Creates the service's log on standard error, because standard output is reserved for the line `ready`: JSON lines, or text
 * for people.
 *
 * Members that may contain a secret are redacted.
 */
export function createLogger(
  { level, format = 'json' }: { level: string; format?: 'json' | 'text' },
  destination: DestinationStream = format === 'text'
    ? createTextLog(process.stderr)
    : pino.destination({ fd: 2, sync: false }),
): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: {
        paths: [
          '*.authorization',
          '*.password',
          '*.privateKey',
          '*.secret',
          '*.key',
          '*.refreshToken',
          '*.accessToken',
          // PostgreSQL reports the values of a rejected row here.
          'err.detail',
          'err.where',
        ],
        censor: '[redacted]',
      },
    },
    destination,
  )
}
