/**
 * What a counterparty reports about a request it received. All fields are optional except one that names the counterparty.
 *
 * Without `agentId` the caller is anonymous, and the endpoint's policy for unverified callers decides.
 *
 * Source: Spec: POST /api/agents/verify-access.
 */
export type VerificationFields = {
  agentId?: string
  counterpartyId?: string
  counterpartyUrl?: string
  counterpartyType?: string
  /** `category`, `category:action` or `category.action`. */
  purpose?: string
  action?: string
  resource?: string
  resourceType?: string
  jurisdiction?: string
  transactionValue?: number
  currency?: string
  /** Seconds. */
  sessionDuration?: number
  certifications?: string[]
  subAgent?: { purpose?: string; depth?: number }
  createSession?: boolean
  enableRuntimeChallenge?: boolean
  includeTokenGuidance?: boolean
  /** Decides without side effects: nothing is granted or counted. A dry run on another owner's agent is still recorded. */
  dryRun?: boolean
  /** UUID of the attempt that needed an approval; resending the request with it uses the approval. */
  attemptId?: string
  callerMetadata?: {
    sourceIp?: string
    userAgent?: string
    referer?: string
    host?: string
    forwardedFor?: string
    agentCardUrl?: string
    /** The headers `Signature`, `Signature-Input` and `Signature-Agent` of a signed request, unchanged (Web Bot Auth). */
    signature?: string
    signatureInput?: string
    signatureAgent?: string
    /** Method and absolute URL of that request, which its signature may cover. */
    method?: string
    targetUri?: string
  }
  credentials?: { type: 'did' | 'vc' | 'sd_jwt' | 'x509'; value: string }[]
}
