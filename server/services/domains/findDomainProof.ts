import type { DomainChallenge } from '@svc/core/contract/endpoints.ts'
import { z } from 'zod'
import type { GetText } from '../../external/outbound/outboundHttp.ts'
import type { ReadTextRecords } from '../../external/outbound/textRecords.ts'

export type FindDomainProofDeps = { readTextRecords: ReadTextRecords; getText: GetText }

/** `not_found`: nothing is published; `mismatch`: something else is; `unreachable`: no response. */
type DomainFailure = {
  method: 'dns' | 'well_known'
  reason: 'not_found' | 'mismatch' | 'unreachable'
}

export type FoundDomainProof = { method: 'dns' | 'well_known' | null; failures: DomainFailure[] }

const PREFIX = 'svc-endpoint-verification='

const fileSchema = z.object({
  verifications: z.array(z.object({ svceId: z.string().optional(), token: z.string() })).max(1_000),
})

/**
 * Looks for the published challenge, first in DNS and then under the origin; the first match counts.
 *
 * Responses come from outside and are never repeated to anyone, except that they are wrong.
 */
export async function findDomainProof(
  deps: FindDomainProofDeps,
  challenge: DomainChallenge,
): Promise<FoundDomainProof> {
  const failures: DomainFailure[] = []
  for (const [method, look] of [
    ['dns', lookInDns],
    ['well_known', lookUnderOrigin],
  ] as const) {
    const fault = await look(deps, challenge).catch(() => 'unreachable' as const)
    if (fault === null) return { method, failures: [] }
    failures.push({ method, reason: fault })
  }
  return { method: null, failures }
}

type Fault = DomainFailure['reason'] | null

async function lookInDns({ readTextRecords }: FindDomainProofDeps, { dns }: DomainChallenge): Promise<Fault> {
  const records = (await readTextRecords(dns.name)).filter((record) => record.startsWith(PREFIX))
  if (records.includes(dns.value)) return null
  return records.length === 0 ? 'not_found' : 'mismatch'
}

async function lookUnderOrigin(
  { getText }: FindDomainProofDeps,
  { wellKnown }: DomainChallenge,
): Promise<Fault> {
  const { status, body } = await getText(wellKnown.url, { Accept: 'application/json' })
  if (status !== 200) return 'not_found'
  const file = fileSchema.safeParse(parseJsonOrNull(body))
  const wanted = wellKnown.body.verifications[0]
  return file.success && file.data.verifications.some((entry) => isSameEntry(entry, wanted))
    ? null
    : 'mismatch'
}

type Entry = DomainChallenge['wellKnown']['body']['verifications'][number]

/** The token decides; an entry that was published before its endpoint was registered names no endpoint. */
function isSameEntry(published: Entry, wanted: Entry | undefined): boolean {
  if (published.token !== wanted?.token) return false
  return published.svceId === undefined || wanted.svceId === undefined || published.svceId === wanted.svceId
}

function parseJsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
