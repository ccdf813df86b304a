import { z } from 'zod'
import { DUE_VALUE, hasDueValue, MANDATE_PROTOCOLS } from '../commerce/mandates/presentedMandate.ts'
import { CREDENTIAL_TYPES } from '../credentials/deriveCredentialLookupKey.ts'
import { policyName } from '../pdlss/policyName.ts'
import { MAX_LENGTHS, MONEY_MAX, SESSION_SECONDS_MAX } from './verificationLimits.ts'

const text = (max: number) =>
  z
    .string()
    .min(1, { abort: true })
    .max(max)
    .regex(/^\P{Cc}+$/u, 'expected text without control characters')
/**
 * Evidence is only stored, so it may be long and malformed: rejecting it would refuse the decision. The service rejects only
 * what it cannot store, a NUL or a lone surrogate, as in all bodies.
 */
const evidence = z.string().max(MAX_LENGTHS.evidence).optional()

/** Every field of a verification request. Rules that concern several fields are in `verificationRequest.ts`. */
export const verificationBodySchema = z.object({
  agentId: text(MAX_LENGTHS.identifier).optional(),
  counterpartyId: text(MAX_LENGTHS.identifier).optional(),
  counterpartyUrl: text(MAX_LENGTHS.url).optional(),
  counterpartyType: text(MAX_LENGTHS.identifier).optional(),
  purpose: policyName(MAX_LENGTHS.name).optional(),
  action: policyName(MAX_LENGTHS.name).optional(),
  resource: z.string().min(1).max(MAX_LENGTHS.resource).optional(),
  resourceType: policyName(MAX_LENGTHS.name).optional(),
  jurisdiction: text(MAX_LENGTHS.identifier).optional(),
  transactionValue: z.number().min(0).max(MONEY_MAX).optional(),
  currency: z
    .string()
    .regex(/^[A-Za-z]{3,10}$/, 'expected a currency code, such as USD or USDC')
    .optional(),
  sessionDuration: z.int().min(1).max(SESSION_SECONDS_MAX).optional(),
  certifications: z.array(text(MAX_LENGTHS.name)).max(MAX_LENGTHS.list).optional(),
  subAgent: z
    .object({ purpose: policyName(MAX_LENGTHS.name).optional(), depth: z.int().min(1).max(1000).optional() })
    .optional(),
  createSession: z.boolean().optional(),
  enableRuntimeChallenge: z.boolean().optional(),
  includeTokenGuidance: z.boolean().optional(),
  includeReceipt: z
    .boolean()
    .optional()
    .describe('Whether the answer comes with a receipt; by default, as the endpoint is set'),
  dryRun: z
    .boolean()
    .optional()
    .describe(
      "Decides without effect. On another owner's agent it tells only whether the request would be granted, five times a day",
    ),
  attemptId: z.guid('expected a UUID').optional(),
  callHash: z
    .string()
    .regex(/^[0-9a-f]{64}$/, 'expected a SHA-256 in 64 lower-case hexadecimal digits')
    .optional()
    .describe('SHA-256 of a tool and its arguments; an approval is valid only for the same'),
  callerMetadata: z
    .looseObject({
      sourceIp: evidence.describe(
        'IP address of the caller; evidence of a platform is only as reliable as this value',
      ),
      userAgent: evidence,
      referer: evidence,
      host: evidence,
      forwardedFor: evidence,
      agentCardUrl: evidence,
      signature: evidence.describe('`Signature` header of the request, if it is signed (Web Bot Auth)'),
      signatureInput: evidence.describe('`Signature-Input` header, unchanged'),
      signatureAgent: evidence.describe('`Signature-Agent` header, unchanged'),
      method: evidence.describe('Method of the signed request'),
      targetUri: evidence.describe('Full URL of the signed request, as the caller sent it'),
      contentDigest: evidence.describe('`Content-Digest` of the body that the counterparty received'),
    })
    .describe('Also the headers that a signature covers, by their names in lower case')
    .optional(),
  intentProof: z
    .string()
    .min(1)
    .max(MAX_LENGTHS.proof)
    .optional()
    .describe('Intent proof that the agent presented (`X-Svc-Proof`)'),
  agentToken: z
    .string()
    .min(1)
    .max(MAX_LENGTHS.proof)
    .optional()
    .describe('Agent token that the caller presented (`X-Svc-Token`)'),
  mandate: z
    .object({
      protocol: z.enum(MANDATE_PROTOCOLS),
      value: z
        .string()
        .min(1)
        .max(MAX_LENGTHS.mandate)
        .optional()
        .describe(
          'The mandate as it was received; none for `tap`, whose mandate is the signature of the request',
        ),
      payee: z
        .string()
        .min(1)
        .max(MAX_LENGTHS.payee)
        .optional()
        .describe('The account, merchant identifier or host under which the counterparty expects to be paid'),
    })
    .refine(hasDueValue, { path: ['value'], message: DUE_VALUE })
    .optional()
    .describe('Mandate of a commerce protocol that the agent presented for this payment'),
  credentials: z
    .array(z.object({ type: z.enum(CREDENTIAL_TYPES), value: z.string().min(1).max(32_768) }))
    .max(10)
    .optional(),
})
