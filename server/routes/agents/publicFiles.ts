import { publicFileOperations } from '@svc/core/contract/publicFiles.ts'
import { z } from 'zod'
import { parseInput } from '../../middleware/parseInput.ts'
import { type ReadAgentCardDeps, readAgentCard } from '../../services/agents/readAgentCard.ts'
import { listRegistrations } from '../../services/agents/registrationFile/listRegistrations.ts'
import {
  type ReadRegistrationFileDeps,
  readRegistrationFile,
} from '../../services/agents/registrationFile/readRegistrationFile.ts'
import { type ReadChainOwnerDeps, readChainOwner } from '../../services/agents/token/readChainOwner.ts'
import { isUnchanged } from '../border/isUnchanged.ts'
import { operation } from '../operation.ts'

/** How long a public card may be cached. */
const PUBLIC_AGE_SECONDS = 60

/**
 * The public card is the same for every caller; the owner's card, which contains the boundary, must not be cached.
 *
 * Source: docs/agent-card.md; A2A 1.0 §8; RFC 9110 §13.1.2.
 */
export const getAgentCard = operation({
  summary: 'Returns the signed card of an agent; only the owner’s copy contains the boundary.',
  answer: publicFileOperations['GET /api/agents/:id/card'].answer,
  otherStatuses: { 304: { when: 'The card matches `If-None-Match`' } },
  errors: ['NOT_FOUND'],
  isPublicDocument: true,
  handle: (parts: { agents: ReadAgentCardDeps }) => async (call) => {
    const { params, principal } = call
    const id = params.id ?? params.svcId ?? ''
    const { card, hash, isOwned } = await readAgentCard(parts.agents, { id, principal })
    // Weak, because every start of the service signs the card afresh: equal cards may differ in their bytes.
    const etag = `W/"${hash}"`
    const headers = {
      'Cache-Control': isOwned ? 'private, no-store' : `public, max-age=${PUBLIC_AGE_SECONDS}`,
      Vary: 'Authorization',
      ETag: etag,
    }
    return isUnchanged(call.header('if-none-match'), etag)
      ? { status: 304, body: null, headers }
      : { body: card, headers }
  },
})

const PATH = '/.well-known/agent-registration.json'

const query = { after: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).optional() }

/** Source: EIP-8004 "Endpoint Domain Verification". */
export const getAgentRegistrations = operation({
  summary: 'Lists the agents of this host that are registered on chain; `next` is the path of the next page.',
  query,
  answer: publicFileOperations['GET /.well-known/agent-registration.json'].answer,
  errors: ['VALIDATION_ERROR'],
  isPublicDocument: true,
  handle: (parts: { agents: Parameters<typeof listRegistrations>[0] }) => async (call) => {
    const { after } = parseInput(z.object(query), { after: call.query.get('after') ?? undefined })
    const { registrations, nextAfter } = await listRegistrations(parts.agents, { after: after ?? null })
    return { body: { registrations, next: nextAfter === null ? null : `${PATH}?after=${nextAfter}` } }
  },
})

/** Source: EIP-8004. */
export const getRegistrationFile = operation({
  summary: 'Returns the file that an agent’s token URI points to, byte for byte as committed on chain.',
  answer: publicFileOperations['GET /registration-files/:svcId.json'].answer,
  errors: ['NOT_FOUND'],
  isPublicDocument: true,
  handle: (parts: { agents: ReadRegistrationFileDeps }) => async (call) => ({
    body: await readRegistrationFile(parts.agents, { svcId: call.params.svcId ?? '' }),
    contentType: 'application/json; charset=utf-8',
  }),
})

const params = z.object({
  address: z
    .templateLiteral(['0x', z.string()])
    .check(z.regex(/^0x[0-9a-fA-F]{40}$/, 'expected an address of 20 bytes in hexadecimal')),
})

export const getChainOwner = operation({
  summary:
    'Returns what an owner signs to have an agent registered on chain without paying for the transaction.',
  answer: publicFileOperations['GET /api/chain/owners/:address'].answer,
  errors: ['VALIDATION_ERROR', 'CHAIN_UNAVAILABLE'],
  handle: (parts: { agents: ReadChainOwnerDeps }) => async (call) => {
    const { address } = parseInput(params, call.params)
    return { body: { success: true, ...(await readChainOwner(parts.agents, { address })) } }
  },
})
