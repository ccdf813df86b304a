import { type ApprovalRule, DEFAULT_APPROVAL_RULES } from '@svc/core/access/approvalRules.ts'
import { encodeHex } from '@svc/core/bytes.ts'
import { generateUuidV7 } from '@svc/core/ids/uuids.ts'
import { hashPdlss } from '@svc/core/pdlss/hashPdlss.ts'
import type { AgentRow } from '../../../store/agents/agentStore.ts'
import type { AgentRegistration } from './agentRegistration.ts'

type NewAgent = {
  svcId: string
  registration: AgentRegistration
  signerAddress: `0x${string}` | null
  ownerId: string
  /** For a sub-agent: its parent's rules. */
  approvalRules?: readonly ApprovalRule[]
  now: number
}

/** Creates the row of a newly registered agent that is not on chain yet. */
export function createAgentRow(agent: NewAgent, randomBytes: (length: number) => Uint8Array): AgentRow {
  const { svcId, registration, now } = agent
  const { onChain: _, keys: __, parentAgentId = null, approvalRules: own, ...fields } = registration
  const pdlssSalt = encodeHex(randomBytes(16))
  return {
    ...fields,
    id: generateUuidV7(now, randomBytes(10)),
    svcId,
    ownerId: agent.ownerId,
    status: 'active',
    pdlssSalt,
    pdlssHash: hashPdlss(pdlssSalt, registration.pdlss),
    approvalRules: [...(agent.approvalRules ?? own ?? DEFAULT_APPROVAL_RULES)],
    minIdentityProof: null,
    requiredFacts: [],
    certifications: [],
    signerAddress: agent.signerAddress,
    blockchainStatus: 'pending',
    chainAgentId: null,
    chainRegistry: null,
    chainTransaction: null,
    chainBlock: null,
    registrationFileHash: null,
    challengePassedAt: null,
    foreignToken: null,
    foreignFeedback: null,
    parentAgentId,
    isHeld: false,
    isListed: false,
    createdAt: now,
    updatedAt: now,
  }
}
