import { agentKeyOperations, postAgentKeysBody } from '@svc/core/contract/agentKeys.ts'
import { apiError } from '../../errors.ts'
import type { Call } from '../../middleware/call.ts'
import { parseInput } from '../../middleware/parseInput.ts'
import { addAgentKey } from '../../services/agents/keys/addAgentKey.ts'
import type { AgentKeyDeps } from '../../services/agents/keys/agentKeyDeps.ts'
import type { KeyOwner } from '../../services/agents/keys/changeKeysOfAgent.ts'
import { type ListAgentKeysDeps, listAgentKeys } from '../../services/agents/keys/listAgentKeys.ts'
import type { ListSigningAccountsDeps } from '../../services/agents/keys/listSigningAccounts.ts'
import { type ReadAgentKeySetDeps, readAgentKeySet } from '../../services/agents/keys/readAgentKeySet.ts'
import { revokeAgentKey } from '../../services/agents/keys/revokeAgentKey.ts'
import {
  type RevokeSigningAccountDeps,
  revokeSigningAccount,
} from '../../services/agents/keys/revokeSigningAccount.ts'
import { operation } from '../operation.ts'

export const getAgentKeys = operation({
  summary:
    'Lists the public keys of an agent: all of them for its owner, with the Ethereum accounts that sign for it, and the active ones for anyone else.',
  answer: agentKeyOperations['GET /api/agents/:id/keys'].answer,
  errors: ['NOT_FOUND'],
  isPublicDocument: true,
  handle: (parts: { agents: ListAgentKeysDeps & ListSigningAccountsDeps }) => async (call) => {
    const { principal } = call
    const listed = await listAgentKeys(parts.agents, { id: call.params.id ?? '', principal })
    return { body: { success: true, ...listed } }
  },
})

const SIGNATURE_ERRORS = ['invalid_signature', 'signature_expired', 'nonce_reused'] as const

/** Source: docs/agents.md. */
export const postAgentKeys = operation({
  summary: 'Adds a public key to an agent; requests signed with it prove that they come from the agent.',
  body: agentKeyOperations['POST /api/agents/:id/keys'].body,
  status: 201,
  answer: agentKeyOperations['POST /api/agents/:id/keys'].answer,
  errors: [...SIGNATURE_ERRORS, 'VALIDATION_ERROR', 'FORBIDDEN', 'NOT_FOUND', 'INVALID_STATE', 'KEY_TAKEN'],
  repeatable: true,
  handle: (parts: { agents: AgentKeyDeps }) => async (call) => {
    const { key, name = null, proof = null } = parseInput(postAgentKeysBody, call.body)
    const input = { id: call.params.id ?? '', principal: ownerOf(call), key, name, proof, now: call.now }
    const added = await call.once(() => addAgentKey(parts.agents, input))
    return { status: 201, body: { success: true, key: added } }
  },
})

export const deleteAgentKey = operation({
  summary: 'Revokes a key of an agent for good: requests signed with it are refused from the response on.',
  answer: agentKeyOperations['DELETE /api/agents/:id/keys/:kid'].answer,
  errors: [...SIGNATURE_ERRORS, 'FORBIDDEN', 'NOT_FOUND'],
  handle: (parts: { agents: AgentKeyDeps }) => async (call) => {
    const { id = '', kid = '' } = call.params
    const key = await revokeAgentKey(parts.agents, { id, kid, principal: ownerOf(call), now: call.now })
    return { body: { success: true, key } }
  },
})

export const deleteSigningAccount = operation({
  summary:
    'Stops an Ethereum account from signing for the agent and for all others of its owner: its signatures are refused from the response on.',
  answer: agentKeyOperations['DELETE /api/agents/:id/accounts/:address'].answer,
  errors: [...SIGNATURE_ERRORS, 'FORBIDDEN', 'NOT_FOUND', 'INVALID_STATE'],
  handle: (parts: { agents: RevokeSigningAccountDeps }) => async (call) => {
    const { id = '', address = '' } = call.params
    const input = { id, address, principal: ownerOf(call), now: call.now }
    return { body: { success: true, address: await revokeSigningAccount(parts.agents, input) } }
  },
})

/** The callers that the table admits to changes. */
function ownerOf({ principal }: Call): KeyOwner {
  if (principal.kind === 'session' || principal.kind === 'signature') return principal
  throw apiError('UNAUTHENTICATED')
}

const DIRECTORY_TYPE = 'application/http-message-signatures-directory+json'

/** How long a key set may be cached: elsewhere, a revoked key may remain valid for so long. */
const AGE_SECONDS = 60

/** Source: RFC 7517 §8.5.2; draft-meunier-webbotauth-httpsig-directory §7.2. */
export const getAgentKeySet = operation({
  summary:
    'Returns the active keys of an agent as a JWK set, or as a directory of keys for HTTP message signatures if `Accept` names that type.',
  mediaType: 'application/jwk-set+json',
  answer: agentKeyOperations['GET /.well-known/agents/:svcId/jwks.json'].answer,
  otherMediaTypes: {
    [DIRECTORY_TYPE]: agentKeyOperations['GET /.well-known/agents/:svcId/jwks.json'].answer,
  },
  errors: ['NOT_FOUND'],
  isPublicDocument: true,
  handle: (parts: { agents: ReadAgentKeySetDeps }) => async (call) => {
    const wantsDirectory = call.header('accept')?.toLowerCase().includes(DIRECTORY_TYPE) === true
    const kind = wantsDirectory ? 'directory' : 'jwks'
    const keySet = await readAgentKeySet(parts.agents, { svcId: call.params.svcId ?? '', kind })
    return {
      body: JSON.stringify(keySet),
      contentType: wantsDirectory ? DIRECTORY_TYPE : 'application/jwk-set+json',
      headers: {
        'Cache-Control': `public, max-age=${AGE_SECONDS}`,
        Vary: 'Accept',
      },
    }
  },
})
