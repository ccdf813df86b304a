import { parseJsonObject } from '@svc/core/parseJsonObject.ts'
import { z } from 'zod'

/** Earlier services, which have one log, do not name it here. */
const chainAnswer = z.object({ logIds: z.array(z.string()) })

/**
 * Finds the number under which a service serves a log.
 *
 * @param answer The response of `GET /api/chain`.
 * @returns Null if the response names no such log.
 */
export function findLogNumber(answer: string, logId: string): number | null {
  const { data } = chainAnswer.safeParse(parseJsonObject(answer))
  const number = data?.logIds.indexOf(logId) ?? -1
  return number < 0 ? null : number
}
