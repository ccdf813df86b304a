import { type DestinationStream, type Logger, pino } from 'pino'

export type { Logger }

/**
 * Creates the service's log: JSON lines on standard error, because standard output is reserved for the line `ready`.
 *
 * Members that may contain a secret are redacted.
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
