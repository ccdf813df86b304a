import { deriveForeignAgentIdentifier } from '@svc/core/ids/derivedIdentifiers.ts'
import { hashPdlss } from '@svc/core/pdlss/hashPdlss.ts'
import type { AgentRow } from '../../store/agents/agentStore.ts'
import { SYSTEM_OWNER } from '../platforms/buildProvisionalAgent.ts'
import type { ForeignAgent } from './foreignAgent.ts'

/** Nobody declared a boundary, so there is nothing that a salt could hide. */
const NO_SALT = '0'.repeat(32)

/**
 * Builds the row of a foreign agent that nobody adopted, which is never stored: anyone can present any token.
 *
 * It has no boundary and nobody who approves, so the endpoint's policy and the trust score decide alone, and every request
 * needs a signature of the token's owner or of the `agentWallet`. One that its owner declares inactive is suspended.
 */
export function buildVisitingAgent({ token, state, file, feedback }: ForeignAgent, now: number): AgentRow {
  const svcId = deriveForeignAgentIdentifier(token, state.owner)
  return {
    id: svcId,
    svcId,
    ownerId: SYSTEM_OWNER,
    status: file.active ? 'active' : 'suspended',
    name: file.name,
    description: file.description,
    agentType: null,
    apiEndpoint: null,
    image: file.image,
    model: null,
    framework: null,
    protocols: [],
    declarations: {},
    pdlss: {},
    pdlssSalt: NO_SALT,
    pdlssHash: hashPdlss(NO_SALT, {}),
    approvalRules: [],
    minIdentityProof: 'signature',
    requiredFacts: [],
    certifications: [],
    signerAddress: null,
    blockchainStatus: 'verified',
    chainAgentId: null,
    chainRegistry: null,
    chainTransaction: null,
    chainBlock: null,
    registrationFileHash: null,
    challengePassedAt: null,
    foreignToken: token,
    foreignFeedback: feedback,
    parentAgentId: null,
    isHeld: false,
    isListed: false,
    createdAt: now,
    updatedAt: now,
  }
}
