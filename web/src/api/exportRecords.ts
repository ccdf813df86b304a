import { asSignedIn } from './asSignedIn.ts'
import { answered } from './request.ts'

/** Sequence numbers, both included; a bound that is left out is the first or the last record there is. */
export type ExportRange = { from?: string; to?: string }

/**
 * Reads the caller's confirmed records with their proofs, part by part, as JSON Lines.
 *
 * @param onPart Told how many records are there so far.
 * @throws ApiFailure. Source: api.md "Approvals, activity, audit" (`GET /api/audit/export`).
 */
export async function exportRecords(
  range: ExportRange,
  onPart: (records: number) => void,
): Promise<{ file: Blob; records: number }> {
  const parts: string[] = []
  let records = 0
  const given = Object.entries(range).filter(([, value]) => value !== undefined && value !== '')
  let path: string | undefined = `/api/audit/export?${new URLSearchParams(given as [string, string][])}`
  while (path !== undefined) {
    const here: string = path
    const response = await asSignedIn((token) => answered({ method: 'GET', path: here }, token))
    const text = await response.text()
    parts.push(text)
    records += text.split('\n').length - 1
    onPart(records)
    path = /^<([^>]+)>; rel="next"$/.exec(response.headers.get('link') ?? '')?.[1]
  }
  return { file: new Blob(parts, { type: 'application/jsonl' }), records }
}
