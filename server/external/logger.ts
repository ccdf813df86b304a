import { type DestinationStream, type Logger, pino } from 'pino'

export type { Logger }

/**
 * The service's log: JSON lines on standard error, so that standard output keeps the one line `ready`.
 *
 * Fields that can hold a secret are cut out wherever they stand.
 */
export function createLogger(
  level: string,
  destination: DestinationStream = pino.destination({ fd: 2, sync: false }),
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
          // PostgreSQL says here which row it refused, with the values.
          'err.detail',
          'err.where',
        ],
        censor: '[redacted]',
      },
    },
    destination,
  )
}
