import type { ReportedUse } from '@svc/core/contract/uses.ts'
import { readSignatureBase } from '@svc/core/signing/readSignatureBase.ts'
import type { ProofKey } from '../../external/proofs/proof.ts'
import type { AuditRecord } from '../../store/audit/auditRecordStore.ts'

/** Who signs for an agent, and the hosts under which agents reach an endpoint. */
type UseParties = { keys: readonly ProofKey[]; authorities: readonly string[] }

export type FindSignedUsesDeps = {
  /** The parties of the grant of a record; null if one of them is no longer there. */
  partiesOf(record: AuditRecord): Promise<UseParties | null>
}

/** The signature of a reported request: the id of its key, and when it was made, in Unix seconds. */
export type UseSignature = { kid: string; created: number }

/**
 * Finds the reported uses whose request a key of the agent signed for this endpoint, with the nonce and the expiry that are
 * reported. Returns their signatures by use.
 *
 * Only whoever has such a signature can make a report that is one of these. A key that was revoked meanwhile counts: the
 * request came before.
 *
 * Source: RFC 9421; docs/receipts.md.
 */
export async function findSignedUses(
  { partiesOf }: FindSignedUsesDeps,
  uses: readonly ReportedUse[],
  grants: ReadonlyMap<string, AuditRecord>,
): Promise<ReadonlyMap<ReportedUse, UseSignature>> {
  const parties = new Map<string, UseParties | null>()
  for (const [recordId, record] of grants) parties.set(recordId, await partiesOf(record))
  const checked = await Promise.all(
    uses.map(async (use) => {
      const found = parties.get(use.auditRecordId)
      const signature = found ? await findSignature(use, found) : null
      return signature === null ? [] : [[use, signature] as const]
    }),
  )
  return new Map(checked.flat())
}

async function findSignature(
  use: ReportedUse,
  { keys, authorities }: UseParties,
): Promise<UseSignature | null> {
  if (use.request === undefined) return null
  const { signatureBase, signature } = use.request
  const signed = readSignatureBase(signatureBase, signature)
  if (signed === undefined || signed.nonce !== use.nonce || signed.expires !== use.expires) return null
  const key = keys.find(({ kid }) => kid === signed.keyid)
  if (key === undefined || !authorities.includes(signed.authority)) return null
  const isValid = await key.verifies(signatureBase, signed.signature, signed.alg)
  return isValid ? { kid: key.kid, created: signed.created } : null
}
