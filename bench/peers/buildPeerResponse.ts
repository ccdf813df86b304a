import { randomUUID } from 'node:crypto'

/** Builds the response of every peer: members and size of our response for a verified agent, with a new session id. */
export function buildPeerResponse() {
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
