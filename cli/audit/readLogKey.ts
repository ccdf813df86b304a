import { parseJsonObject } from '@svc/core/parseJsonObject.ts'
import { z } from 'zod'
import type { AuditReport } from './createTextReport.ts'
import { followHandovers, HANDOVERS_MAX } from './followHandovers.ts'
import type { VerifierKey } from './parseVerifierKey.ts'
import { readSource } from './readSource.ts'

type Read = { ok: true; logKey: VerifierKey | null } | { ok: false; reason: string }

/** Where a saved response of `GET /api/audit/key` has its hand-overs. */
const keyDocument = z.object({ handovers: z.array(z.string()).max(HANDOVERS_MAX) })

/**
 * Reads the pinned key with the keys it has handed over to, and reports how many hand-overs were followed.
 *
 * A hand-over that claims to come from one of these keys, and must not be trusted, is a fault of the document: it is forged,
 * or a key has handed over to two.
 *
 * @throws Error with a message for the auditor.
 */
export async function readLogKey(
  { logKey, handovers }: { logKey: VerifierKey | null; handovers: string | null },
  report: AuditReport,
): Promise<Read> {
  if (logKey === null || handovers === null) return { ok: true, logKey }
  const { success, data } = keyDocument.safeParse(parseJsonObject(await readSource(handovers, 'keys')))
  if (!success) throw new Error(`${handovers} is no response of GET /api/audit/key`)
  const { successors, refused } = followHandovers(logKey, data.handovers)
  const [first] = refused
  if (first !== undefined) {
    const others = refused.length === 1 ? '' : `, and so are ${refused.length - 1} more`
    return { ok: false, reason: `a hand-over in ${handovers} must not be trusted: ${first.why}${others}` }
  }
  const followed = successors.length
  const ignored = data.handovers.length - followed
  const others = ignored === 0 ? '' : `; ${ignored} of other keys, such as former ones, were ignored`
  report.fact('handovers', `${followed} followed from the pinned key${others}`, { followed, ignored })
  return { ok: true, logKey: { ...logKey, successors: successors.map(({ key }) => key) } }
}
