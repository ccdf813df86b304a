import { LOGS_MAX } from '@svc/core/audit/chooseLog.ts'
import { z } from 'zod'
import { parseInput } from '../../middleware/parseInput.ts'

const log = z
  .string()
  .regex(/^\d{1,2}$/, 'expected the number of a log')
  .transform(Number)
  .pipe(z.number().max(LOGS_MAX - 1))
const querySchema = z.object({ log: log.default(0) })

/** The parts that an operation needs of the requested log. */
export type LogParts<Parts> = { audit: { log(number: number): Promise<Parts> } }

/** The query parameter that selects one of several audit logs. */
export const LOG_QUERY = {
  log: z.coerce
    .number()
    .int()
    .min(0)
    .max(LOGS_MAX - 1)
    .optional(),
}

/** Reads the number of the requested log; 0 if none is given. @throws ApiError VALIDATION_ERROR. */
export function readLogNumber(query: URLSearchParams): number {
  return parseInput(querySchema, Object.fromEntries(query)).log
}
