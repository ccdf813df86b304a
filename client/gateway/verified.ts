import type { VerificationAnswer } from './verificationAnswer.ts'

/** What a request carries after verification. Source: Spec: Client library contract. */
export type Verified = {
  /** The caller is a registered agent and was let in as one. */
  verified: boolean
  /** As the service answered it. */
  accessLevel: string
  agent: VerificationAnswer['agent']
  advisory: VerificationAnswer['advisory']
  /** The boundary that applied, when the counterparty is the agent's owner. */
  pdlss: Record<string, unknown> | undefined
  tokenGuidance: VerificationAnswer['tokenGuidance']
  recommendation: VerificationAnswer['recommendation']
  /** The whole answer, with `sessionId` or `correlationId` and `auditRecordId`. */
  verification: VerificationAnswer
}
