import { z } from 'zod'
import { MONEY_MAX } from '../access/verificationLimits.ts'
import { SIGNATURE_BASE_MAX } from '../receipt/receipt.ts'
import { isNonce } from '../signing/signatureProfile.ts'
import { success } from './envelope.ts'

/**
 * What a reported use contradicts: the receipt, what was withdrawn, or an earlier use of the same signature. For the last
 * four, which no gateway does, nothing is recorded.
 */
export const USE_CONTRADICTIONS = [
  'outside_session',
  'withdrawn',
  'over_value',
  'replayed',
  'unproven',
  'too_many',
  'long_lived',
  'outside_signature',
] as const

const use = z.object({
  useId: z.guid('expected a UUID').describe('Identifies the use, so that reporting it again changes nothing'),
  auditRecordId: z
    .string()
    .min(1)
    .max(64)
    .describe('The record of the grant that was used: `jti` of its receipt'),
  usedAt: z.iso.datetime().describe('When the request was answered'),
  value: z
    .number()
    .min(0)
    .max(MONEY_MAX)
    .optional()
    .describe('Value of the request, in the currency of the grant'),
  nonce: z
    .string()
    .refine(isNonce, 'expected 16 to 128 visible ASCII characters')
    .describe('Nonce of the signature of the request'),
  expires: z.int().min(0).describe('When that signature expires, in Unix seconds'),
  request: z
    .object({
      signatureBase: z.string().max(SIGNATURE_BASE_MAX).describe('The text that was signed (RFC 9421 §2.5)'),
      signature: z.base64().max(256).describe('The signature over it'),
    })
    .optional()
    .describe(
      'Shows that the agent signed the request: without it, the nonce is used up only at this endpoint',
    ),
})

/** A request that a gateway answered with a grant that it already had. */
export type ReportedUse = z.output<typeof use>

export const postUsesBody = z.object({ uses: z.array(use).min(1).max(100) })

const recordedUse = z.object({
  useId: z.string(),
  /**
   * Nothing was recorded of a use that is `refused`, because no grant can be used like that, or `unknown`, because there is
   * no such grant with a receipt for this account.
   */
  status: z.enum(['recorded', 'contradicted', 'refused', 'unknown']),
  contradiction: z.enum(USE_CONTRADICTIONS).nullable(),
})

/** What became of a reported use. */
export type RecordedUse = z.output<typeof recordedUse>

/** Request and response schemas of the operations, by method and path. */
export const useOperations = {
  'POST /api/agents/verify-access/uses': {
    body: postUsesBody,
    /** In the order of the request. Those for which the rate limit left no room are missing: report them again. */
    answer: success({ uses: z.array(recordedUse) }),
  },
} as const
