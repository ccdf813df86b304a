import { encodeHex } from '@svc/core/bytes.ts'
import { deriveProvisionalAgentIdentifier } from '@svc/core/ids/derivedIdentifiers.ts'
import { generateUuidV7 } from '@svc/core/ids/uuids.ts'
import { hashPdlss } from '@svc/core/pdlss/hashPdlss.ts'
import type { Platform } from '@svc/core/platforms/platform.ts'
import type { AgentRow } from '../../store/agents/agentStore.ts'

/** Builds the row of a platform’s agent, which is stored when the platform is first seen, or withdrawn before that. */
export function buildProvisionalAgent(
  platform: Platform,
  now: number,
  randomBytes: (length: number) => Uint8Array,
): AgentRow {
  const pdlssSalt = encodeHex(randomBytes(16))
  return {
    id: generateUuidV7(now, randomBytes(10)),
    svcId: deriveProvisionalAgentIdentifier(platform.id),
    ownerId: SYSTEM_OWNER,
    status: 'provisional',
    name: platform.name,
    description: `Stands for requests recognised as those of ${platform.operator}; registered by nobody.`,
    agentType: null,
    apiEndpoint: null,
    image: null,
    model: null,
    framework: null,
    protocols: [],
    declarations: {},
    pdlss: {},
    pdlssSalt,
    pdlssHash: hashPdlss(pdlssSalt, {}),
    approvalRules: [],
    minIdentityProof: null,
    requiredFacts: [],
    certifications: [],
    signerAddress: null,
    blockchainStatus: 'unverified',
    chainAgentId: null,
    chainRegistry: null,
    chainTransaction: null,
    chainBlock: null,
    registrationFileHash: null,
    challengePassedAt: null,
    foreignToken: null,
    foreignFeedback: null,
    parentAgentId: null,
    isHeld: false,
    isListed: false,
    createdAt: now,
    updatedAt: now,
  }
}

/** Owner of what the service itself provides: an identifier that no account can have, so that nobody can act for it. */
export const SYSTEM_OWNER = `SVCO-${'0'.repeat(22)}`
