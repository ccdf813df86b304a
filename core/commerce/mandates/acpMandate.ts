import { z } from 'zod'
import { decodeBase64Url } from '../../bytes.ts'
import { canonicaliseJson } from '../../canonicaliseJson.ts'
import { isDeeperThan, isJsonObject } from '../../json.ts'
import { parseJsonObject } from '../../parseJsonObject.ts'
import { amountOf } from './checkout.ts'
import { findContradiction } from './findContradiction.ts'
import { type MandateFinding, type MandateInput, wrongMandate } from './mandateFinding.ts'

const DEPTH_MAX = 16

/** Source: ACP 2026-04-17 `schema.delegate_payment.json`, `Allowance`. */
const allowanceSchema = z.object({
  max_amount: z.int().min(0),
  currency: z
    .string()
    .regex(/^[A-Za-z]{3}$/)
    .transform((code) => code.toUpperCase()),
  merchant_id: z.string().min(1).max(256),
  expires_at: z.iso.datetime({ offset: true }),
})

const schema = z.object({
  token: z.string().min(1).max(2048),
  allowance: allowanceSchema,
  completion: z.record(z.string(), z.unknown()).optional(),
  signature: z.string().optional(),
})

/**
 * Checks a delegated payment token of the Agentic Commerce Protocol against its allowance: the most that may be paid, the
 * currency, the merchant and the expiry; and, if the request that presents the token is signed, that the agent signed it.
 *
 * The token is opaque, and the allowance is what its issuer told the counterparty, so it counts as stated and not as signed.
 * Nothing in it names a holder: whoever has seen it can sign a request that contains it.
 * Source: ACP 2026-04-17, `rfc.delegate_payment.md` §2.2 and §3.5, `rfc.agentic_checkout.md`.
 */
export async function checkAcpMandate(input: MandateInput): Promise<MandateFinding> {
  const parsed = schema.safeParse(parseJsonObject(input.mandate.value ?? ''))
  if (!parsed.success) return wrongMandate('malformed')
  const { token, allowance, completion, signature } = parsed.data
  if (signature !== undefined) {
    if (completion === undefined || isDeeperThan(completion, DEPTH_MAX)) return wrongMandate('malformed')
    if (!(await isSignedByAgent(completion, signature, input))) return wrongMandate('other_holder')
  }
  if (completion !== undefined && readToken(completion) !== token) return wrongMandate('forged')
  const { max_amount: amount, currency, merchant_id: merchantId, expires_at: expiresAt } = allowance
  const fault = findContradiction(
    {
      ...amountOf({ amount, currency }),
      isMaximum: true,
      payees: [merchantId],
      expiresAt: Date.parse(expiresAt) / 1000,
    },
    input,
  )
  if (fault !== null) return wrongMandate(fault)
  return {
    ...{ found: 'valid', isSigned: false, isHolderProven: false },
    payment: { id: `acp ${token}`, expiresAt: Date.parse(expiresAt) / 1000 },
  }
}

/** The signature is over the canonical JSON of the body; its header names no key. */
async function isSignedByAgent(
  completion: Record<string, unknown>,
  signature: string,
  { holder }: MandateInput,
): Promise<boolean> {
  const bytes = decodeBase64Url(signature)
  if (bytes === null) return false
  const text = canonicalTextOf(completion)
  if (text === null) return false
  const active = holder.keys.filter(({ isRevoked }) => !isRevoked)
  const signed = await Promise.all(active.map((key) => key.verifies(text, bytes, undefined)))
  return signed.includes(true)
}

/** Null for a text that is not Unicode, which JSON can write and canonical JSON cannot. */
function canonicalTextOf(value: object): string | null {
  try {
    return canonicaliseJson(value)
  } catch {
    return null
  }
}

/** The token in a request that completes a checkout. Source: ACP 2026-04-17 `schema.agentic_checkout.json`. */
function readToken({ payment_data: payment }: Record<string, unknown>): unknown {
  const instrument = isJsonObject(payment) ? payment.instrument : undefined
  const credential = isJsonObject(instrument) ? instrument.credential : undefined
  return isJsonObject(credential) ? credential.token : undefined
}
