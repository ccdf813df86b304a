import type { MandateProtocol } from '@svc/core/commerce/mandates/presentedMandate.ts'

/**
 * What a counterparty reports about a request it received. All fields are optional except one that names the counterparty.
 *
 * Without `agentId` the caller is anonymous, and the endpoint's policy for unverified callers decides.
 *
 * Source: Spec: POST /api/agents/verify-access.
 */
export type VerificationFields = {
  agentId?: string | undefined
  counterpartyId?: string | undefined
  counterpartyUrl?: string | undefined
  counterpartyType?: string | undefined
  /** `category`, `category:action` or `category.action`. */
  purpose?: string | undefined
  action?: string | undefined
  resource?: string | undefined
  resourceType?: string | undefined
  jurisdiction?: string | undefined
  transactionValue?: number | undefined
  currency?: string | undefined
  /** Seconds. */
  sessionDuration?: number | undefined
  certifications?: string[] | undefined
  subAgent?: { purpose?: string | undefined; depth?: number | undefined } | undefined
  createSession?: boolean | undefined
  enableRuntimeChallenge?: boolean | undefined
  includeTokenGuidance?: boolean | undefined
  /** Asks for a signed receipt of the verdict; by default, the endpoint's setting decides. */
  includeReceipt?: boolean | undefined
  /**
   * Decides without side effects: nothing is granted or counted. On another owner's agent it tells only whether the request
   * would be granted, is recorded, and is possible five times a day.
   */
  dryRun?: boolean | undefined
  /** UUID of the attempt that needed an approval; resending the request with it uses the approval. */
  attemptId?: string | undefined
  /**
   * SHA-256 of a tool and its arguments, in lower-case hexadecimal digits. The service only compares it: an approval is
   * valid for the hash with which the request was held.
   */
  callHash?: string | undefined
  callerMetadata?:
    | {
        sourceIp?: string | undefined
        userAgent?: string | undefined
        referer?: string | undefined
        host?: string | undefined
        forwardedFor?: string | undefined
        agentCardUrl?: string | undefined
        /** `Signature`, `Signature-Input` and `Signature-Agent` of a signed request, unchanged (Web Bot Auth). */
        signature?: string | undefined
        signatureInput?: string | undefined
        signatureAgent?: string | undefined
        /** Method and absolute URL of that request, which its signature may cover. */
        method?: string | undefined
        targetUri?: string | undefined
        /** `Content-Digest` of the body that was received, after comparing the two; computed if there is no such header. */
        contentDigest?: string | undefined
        /** Further headers that the signature covers, by lower-case name. */
        [header: string]: string | undefined
      }
    | undefined
  /** `X-Svc-Proof` of the request: what the agent commits to, signed. */
  intentProof?: string | undefined
  /** The agent token of the request: `X-Svc-Token`, or `Authorization` with the scheme `AgentToken`. */
  agentToken?: string | undefined
  credentials?: { type: 'did' | 'vc' | 'sd_jwt' | 'x509' | 'erc8004'; value: string }[] | undefined
  /** Mandate of a commerce protocol for this payment, and the account under which the counterparty expects to be paid. */
  mandate?: { protocol: MandateProtocol; value?: string | undefined; payee?: string | undefined } | undefined
}
