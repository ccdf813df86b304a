import type { StoredAgentKey } from '@svc/core/contract/agentKeys.ts'
import { toIsoTime } from '@svc/core/time/toIsoTime.ts'
import type { AgentKeyRow } from '../../../store/agents/agentKeyStore.ts'

/** Shows a stored key to the owner of its agent. */
export function toAgentKeyView(key: AgentKeyRow): StoredAgentKey {
  const { kid, jwk, name, createdAt, revokedAt, provenAt } = key
  return {
    kid,
    kty: jwk.kty,
    crv: jwk.crv,
    name,
    status: revokedAt === null ? 'active' : 'revoked',
    createdAt: toIsoTime(createdAt),
    revokedAt: toIsoTime(revokedAt),
    provenAt: toIsoTime(provenAt),
  }
}
