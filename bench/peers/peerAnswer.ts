import { randomUUID } from 'node:crypto'

/** What every peer answers: members and size of a verified agent's answer of ours, a new session id in each. */
export function peerAnswer() {
  return {
    success: true,
    access: { allowed: true, accessLevel: 'full', reason: 'The agent may do this at this endpoint now.' },
    recommendation: 'grant',
    recommendationReasons: ['The agent may do this at this endpoint now.'],
    agent: {
      svcId: 'SVC-0123456789abcdefghijkl',
      name: 'Bench agent',
      trustScore: 52,
      agentStatus: 'active',
      blockchainStatus: 'verified',
      runtimeChallengeSupported: false,
    },
    sessionId: randomUUID(),
    auditRecordId: randomUUID(),
  }
}
