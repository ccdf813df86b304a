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
import { operation } from '../operation.ts'

/** How long a public card may be served from a cache, in seconds. */
const PUBLIC_AGE = 60

/**
 * Public cards are the same for everybody and read by pages of any origin; the owner's, which holds the boundary, is
 * stored nowhere.
 *
 * Source: api.md "Agent card"; A2A 1.0 §8; RFC 9110 §13.1.2.
 */
export const getAgentCard = operation({
  summary: 'Serves the signed card of an agent; only the owner’s holds the boundary itself.',
  answer: publicFileOperations['GET /api/agents/:id/card'].answer,
  alsoAnswers: { 304: { when: 'The card is the one that If-None-Match names' } },
  errors: ['NOT_FOUND'],
  handle: (parts: { agents: ReadAgentCardDeps }) => async (call) => {
    const { params, principal } = call
    const id = params.id ?? params.svcId ?? ''
    const { card, hash, isOwned } = await readAgentCard(parts.agents, { id, principal })
    // Weak: signatures are drawn anew at each start, so equal cards are not always equal bytes.
    const etag = `W/"${hash}"`
    const headers = {
      'Access-Control-Allow-Origin': '*',
      'Cache-Control': isOwned ? 'private, no-store' : `public, max-age=${PUBLIC_AGE}`,
      Vary: 'Authorization',
      ETag: etag,
    }
    const known = call
      .header('if-none-match')
      ?.split(',')
      .some((tag) => tag.trim() === etag)
    return known ? { status: 304, body: null, headers } : { body: card, headers }
  },
})

const PATH = '/.well-known/agent-registration.json'

const query = { after: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).optional() }

/** Source: EIP-8004 "Endpoint Domain Verification"; onchain.md "Registration file". */
export const getAgentRegistrations = operation({
  summary: 'Lists the agents of this host that are on chain; `next` is the path of the next part.',
  query,
  answer: publicFileOperations['GET /.well-known/agent-registration.json'].answer,
  errors: ['VALIDATION_ERROR'],
  handle: (parts: { agents: Parameters<typeof listRegistrations>[0] }) => async (call) => {
    const { after } = parseInput(z.object(query), { after: call.query.get('after') ?? undefined })
    const { registrations, nextAfter } = await listRegistrations(parts.agents, { after: after ?? null })
    return { body: { registrations, next: nextAfter === null ? null : `${PATH}?after=${nextAfter}` } }
  },
})

/** Source: api.md "Agents"; onchain.md "Registration file"; EIP-8004. */
export const getRegistrationFile = operation({
  summary: 'Serves the file that an agent’s token URI points to, byte for byte what the chain commits to.',
  answer: publicFileOperations['GET /registration-files/:svcId.json'].answer,
  errors: ['NOT_FOUND'],
  handle: (parts: { agents: ReadRegistrationFileDeps }) => async (call) => ({
    body: await readRegistrationFile(parts.agents, { svcId: call.params.svcId ?? '' }),
    contentType: 'application/json; charset=utf-8',
    // Token URIs are read by pages of any origin.
    headers: { 'Access-Control-Allow-Origin': '*' },
  }),
})

const params = z.object({
  address: z
    .templateLiteral(['0x', z.string()])
    .check(z.regex(/^0x[0-9a-fA-F]{40}$/, 'expected an address of 20 bytes in hexadecimal')),
})

/** Source: onchain.md "Additions" (`registerFor`). */
export const getChainOwner = operation({
  summary: 'Says what an owner’s signature has to cover to register an agent on chain without paying.',
  answer: publicFileOperations['GET /api/chain/owners/:address'].answer,
  errors: ['VALIDATION_ERROR', 'CHAIN_UNAVAILABLE'],
  handle: (parts: { agents: ReadChainOwnerDeps }) => async (call) => {
    const { address } = parseInput(params, call.params)
    return { body: { success: true, ...(await readChainOwner(parts.agents, { address })) } }
  },
})
