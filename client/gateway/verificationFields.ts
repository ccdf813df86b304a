/**
 * What a counterparty tells about a request it received; all of it is optional but one name of the counterparty.
 *
 * Without `agentId` the caller is anonymous and the endpoint's policy for such callers decides.
 *
 * Source: Spec: POST /api/agents/verify-access; verification.md "Input".
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
  /** Decides without effect: nothing is granted or counted. About another owner's agent it is recorded, as a dry run. */
  dryRun?: boolean
  /** UUID of the attempt an approval was asked for; sent again with the same request to use the approval. */
  attemptId?: string
  callerMetadata?: {
    sourceIp?: string
    userAgent?: string
    referer?: string
    host?: string
    forwardedFor?: string
    agentCardUrl?: string
    /** The headers `Signature`, `Signature-Input` and `Signature-Agent` of a signed request, as they came (Web Bot Auth). */
    signature?: string
    signatureInput?: string
    signatureAgent?: string
    /** Method and whole address of that request, which its signature may cover. */
    method?: string
    targetUri?: string
  }
  credentials?: { type: 'did' | 'vc' | 'sd_jwt' | 'x509'; value: string }[]
}
