import type { AnswerOf } from '@svc/core/contract/operations.ts'
import { apiError } from '../../../errors.ts'
import type { AgentKeyRow } from '../../../store/agents/agentKeyStore.ts'
import type { OwnerFactsStore } from '../../../store/agents/ownerFactsStore.ts'
import { agentStatusOf } from '../agentStatusOf.ts'
import type { ListAgentKeysDeps } from './listAgentKeys.ts'

/** The names of the algorithms in each kind of key set. */
const ALGORITHMS = {
  jwks: { Ed25519: 'EdDSA', 'P-256': 'ES256' },
  directory: { Ed25519: 'ed25519', 'P-256': 'ecdsa-p256-sha256' },
} as const

export type ReadAgentKeySetDeps = ListAgentKeysDeps & { owners: Pick<OwnerFactsStore, 'ofOwner'> }

export type KeySet = AnswerOf<'GET /.well-known/agents/:svcId/jwks.json'>

/**
 * Returns the active keys of an agent as a JWK set, or as a directory of keys for HTTP message signatures, which names
 * algorithms as RFC 9421 does.
 *
 * The set of an agent that is not active, or whose owner is suspended, is empty, so that verifiers elsewhere stop trusting
 * its keys, too.
 *
 * @throws ApiError NOT_FOUND. Source: RFC 7517 §5; draft-meunier-webbotauth-httpsig-directory §3.
 */
export async function readAgentKeySet(
  { agents, agentKeys, owners }: ReadAgentKeySetDeps,
  { svcId, kind }: { svcId: string; kind: keyof typeof ALGORITHMS },
): Promise<KeySet> {
  const agent = await agents.byAnyId(svcId)
  if (!agent) throw apiError('NOT_FOUND')
  if (agentStatusOf(agent, await owners.ofOwner(agent.ownerId)) !== 'active') return { keys: [] }
  const active = (await agentKeys.ofAgent(agent.svcId)).filter(({ revokedAt }) => revokedAt === null)
  return { keys: active.map((key) => toPublicJwk(key, kind)) }
}

function toPublicJwk({ kid, jwk }: AgentKeyRow, kind: keyof typeof ALGORITHMS) {
  return { kid, ...jwk, use: 'sig' as const, alg: ALGORITHMS[kind][jwk.crv] }
}
