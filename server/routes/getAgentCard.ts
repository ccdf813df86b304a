import { z } from 'zod'
import type { Operation } from './operation.ts'

/** The members that this registry and A2A 1.0 promise; a card may hold more. */
const card = z.looseObject({
  name: z.string(),
  description: z.string(),
  version: z.string(),
  supportedInterfaces: z.array(
    z.object({ url: z.string(), protocolBinding: z.string(), protocolVersion: z.string() }),
  ),
  capabilities: z.looseObject({}),
  skills: z.array(z.looseObject({})),
  svcId: z.string(),
  verificationEndpoint: z.string(),
  runtimeChallengeSupported: z.boolean(),
  pdlss: z.looseObject({ declared: z.array(z.string()), hash: z.string() }),
  onChainIdentity: z.object({ agentId: z.number(), agentRegistry: z.string() }).nullable(),
  signatures: z.array(z.object({ protected: z.string(), signature: z.string() })),
})

/** How long a public card may be served from a cache, in seconds. */
const PUBLIC_AGE = 60

/**
 * Public cards are the same for everybody and read by pages of any origin; the owner's, which holds the boundary, is
 * stored nowhere.
 *
 * Source: api.md "Agent card"; A2A 1.0 §8; RFC 9110 §13.1.2.
 */
export const getAgentCard: Operation = {
  summary: 'Serves the signed card of an agent; only the owner’s holds the boundary itself.',
  answer: card,
  alsoAnswers: { 304: { when: 'The card is the one that If-None-Match names' } },
  errors: ['NOT_FOUND'],
  handle: (services) => async (call) => {
    const { params, principal } = call
    const id = params.id ?? params.svcId ?? ''
    const { card, hash, isOwned } = await services.agents.card({ id, principal })
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
}
