import type { VerificationAnswer } from '@svc/core/contract/verification.ts'
import type { IssuerKeys } from '../receipts/createIssuerKeys.ts'
import type { StatusListCache } from '../receipts/createStatusListCache.ts'
import { verifyReceipt } from '../receipts/verifyReceipt.ts'
import type { AgentKeys } from './createAgentKeys.ts'
import type { Grants } from './createGrants.ts'
import type { ReusableRequest } from './readReusableRequest.ts'

type GrantKeeperConfig = {
  issuer: string
  counterpartyId: string
  /** How long a grant may be used. */
  seconds: number
  keys: IssuerKeys
  statusLists: StatusListCache
  agentKeys: AgentKeys
  grants: Grants
  warn: (message: string) => void
}

/**
 * Creates what keeps grants for further requests: those with a valid receipt for this endpoint and for the key that signed
 * the request, which no approval was needed for. It works in the background, because the request has been answered.
 */
export function createGrantKeeper(config: GrantKeeperConfig) {
  const { issuer, counterpartyId: audience, keys, statusLists, agentKeys, grants } = config
  const keeping = new Set<Promise<void>>()
  let warned = ''

  async function keepVerified(request: ReusableRequest, { answer, at }: AnsweredAt): Promise<void> {
    const { agentId, keyid, value = 0 } = request
    const expected = { issuer, keys, audience, agentId, keyThumbprint: keyid, statusLists }
    const verdict = await verifyReceipt(answer.receipt, { ...expected, now: at })
    if (!verdict.ok) {
      const hint = verdict.reason === 'other_issuer' ? `; is ${issuer} the PUBLIC_URL of the service?` : ''
      throw new Error(`the receipt is refused: ${verdict.reason}${hint}`)
    }
    const key = await agentKeys.find(agentId, keyid)
    if (key === undefined) throw new Error(`${agentId} has no key ${keyid}`)
    const { claims } = verdict
    const until = Math.min(at + config.seconds * 1000, claims.exp * 1000)
    grants.set(request.key, { answer, claims, key, until, spent: String(value), uses: 0, isDropped: false })
  }

  return {
    /** Keeps the grant that answered a request; other answers are good for one request only. */
    keep(request: ReusableRequest, answered: AnsweredAt): void {
      const { recommendation, identityProof, stepUpApproval } = answered.answer
      const isPlain = recommendation === 'grant' && stepUpApproval === undefined
      if (!isPlain || identityProof !== 'signature') return
      const kept = keepVerified(request, answered)
        .catch((error: unknown) => {
          const text = `grants cannot be used for further requests: ${error}`
          if (text !== warned) config.warn(text)
          warned = text
        })
        .finally(() => keeping.delete(kept))
      keeping.add(kept)
    },

    /** Resolves once the grants of all answered requests are at hand. */
    settle: async (): Promise<void> => void (await Promise.all(keeping)),
  }
}

/** An answer of the service, and when it was asked for, in epoch milliseconds. */
type AnsweredAt = { answer: VerificationAnswer; at: number }
