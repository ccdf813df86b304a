import { canonicaliseJson } from '@svc/core/canonicaliseJson.ts'
import { buildAgentCard } from '@svc/core/card/buildAgentCard.ts'
import { writeA2aLibraryText } from '@svc/core/card/writeA2aLibraryText.ts'
import { writeA2aSpecText } from '@svc/core/card/writeA2aSpecText.ts'
import { sha256Hex } from '@svc/core/hash.ts'
import { apiError } from '../../errors.ts'
import type { CardSignature, CardSigner } from '../../external/keys/cardSigner.ts'
import type { AgentStore } from '../../store/agents/agentStore.ts'
import { actsForOf } from '../actsForOf.ts'
import type { Principal } from '../principal.ts'
import { buildAgentLinks } from './buildAgentLinks.ts'
import { listDeclaredDimensions } from './registration/agentRegistration.ts'
import { registrationOf } from './registrationFile/registrationFileOf.ts'

export type ReadAgentCardDeps = {
  agents: AgentStore
  publicUrl: string
  cards: Pick<CardSigner, 'sign'>
}

/** A signed card. `hash` covers the card without its signatures; `isOwned` says whether the card contains the boundary. */
export type SignedAgentCard = {
  card: ReturnType<typeof buildAgentCard> & { signatures: CardSignature[] }
  hash: string
  isOwned: boolean
}

/** `typ` of the signatures over the members that A2A defines. Source: A2A 1.0 §8.4.2. */
const A2A_TYPE = 'JOSE'
/** `typ` of the signature over all members of a card except `signatures`. */
const WHOLE_TYPE = 'svc-agent-card+json'

/**
 * Returns an agent's card, signed three times; the owner's version contains the boundary.
 *
 * A verifier that supports only A2A checks one of the first two signatures, over the members of A2A: libraries leave out
 * empty members that A2A requires, so their text differs from the one A2A specifies. The third covers all members, which
 * also protects the on-chain identity and the hash of the boundary.
 *
 * @param input.id `SVC-` identifier or UUID.
 * @throws ApiError NOT_FOUND. Source: docs/agent-card.md.
 */
export async function readAgentCard(
  deps: ReadAgentCardDeps,
  input: { id: string; principal: Principal },
): Promise<SignedAgentCard> {
  const agent = await deps.agents.byAnyId(input.id)
  if (!agent) throw apiError('NOT_FOUND')
  const isOwned = actsForOf(input.principal).has(agent.ownerId)
  const links = buildAgentLinks(deps.publicUrl, agent.svcId)
  const card = buildAgentCard({
    svcId: agent.svcId,
    name: agent.name,
    description: agent.description,
    image: agent.image,
    protocols: Object.fromEntries(
      [...agent.protocols, ...Object.keys(agent.declarations)].map((name) => [
        name,
        agent.declarations[name] ?? {},
      ]),
    ),
    runtimeChallengeSupported: agent.apiEndpoint !== null,
    verificationEndpoint: links.verificationEndpoint,
    jwksUrl: links.jwksUrl,
    onChainIdentity: registrationOf(agent),
    pdlss: { declared: listDeclaredDimensions(agent.pdlss), hash: agent.pdlssHash },
    ...(isOwned ? { owned: { boundary: agent.pdlss, salt: agent.pdlssSalt } } : {}),
  })
  const whole = canonicaliseJson(card)
  const signatures = await Promise.all([
    deps.cards.sign(A2A_TYPE, writeA2aLibraryText(card)),
    deps.cards.sign(A2A_TYPE, writeA2aSpecText(card)),
    deps.cards.sign(WHOLE_TYPE, whole),
  ])
  return { card: { ...card, signatures }, hash: sha256Hex(whole), isOwned }
}
