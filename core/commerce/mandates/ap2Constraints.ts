import { z } from 'zod'
import { compareDecimals } from '../../decimal.ts'
import { amountOf, merchantSchema } from './checkout.ts'
import type { MandateTerms } from './findContradiction.ts'
import type { MandateFault } from './mandateFinding.ts'

const constraintsSchema = z.array(z.looseObject({ type: z.string() })).max(100)

const rangeSchema = z.object({
  currency: z
    .string()
    .regex(/^[A-Za-z]{3}$/)
    .transform((code) => code.toUpperCase()),
  max: z.int().min(0),
  min: z.int().min(0).optional(),
})
const allowedSchema = z.object({ allowed: z.array(merchantSchema).max(200) })
const date = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text))
const windowSchema = z.object({ not_before: date.optional(), not_after: date.optional() })

type Closed = MandateTerms & { merchant: z.output<typeof merchantSchema> | undefined }

/**
 * Finds a constraint of the open mandates that the closed one does not keep; null if it keeps all that can be judged: range
 * of the amount, payees or merchants, and time of execution.
 *
 * Source: AP2 0.2 `open_payment_mandate.json`, `open_checkout_mandate.json`.
 */
export function findBrokenConstraint(
  open: readonly Readonly<Record<string, unknown>>[],
  closed: Closed,
  now: number,
): MandateFault | null {
  for (const { constraints } of open) {
    if (constraints === undefined) continue
    const listed = constraintsSchema.safeParse(constraints)
    if (!listed.success) return 'malformed'
    for (const constraint of listed.data) {
      const fault = judge(constraint, closed, now)
      if (fault !== null) return fault
    }
  }
  return null
}

function judge(constraint: { type: string }, closed: Closed, now: number): MandateFault | null {
  switch (constraint.type) {
    case 'payment.amount_range':
      return judgeRange(constraint, closed)
    case 'payment.allowed_payees':
    case 'checkout.allowed_merchants':
      return judgeMerchant(constraint, closed)
    case 'payment.execution_date':
      return judgeDate(constraint, now)
    default:
      return null
  }
}

function judgeRange(constraint: object, closed: Closed): MandateFault | null {
  const parsed = rangeSchema.safeParse(constraint)
  if (!parsed.success) return 'malformed'
  const { currency, max, min = 0 } = parsed.data
  if (currency !== closed.currency) return 'other_currency'
  const isAbove = compareDecimals(closed.amount, amountOf({ amount: max, currency }).amount) > 0
  const isBelow = compareDecimals(closed.amount, amountOf({ amount: min, currency }).amount) < 0
  return isAbove || isBelow ? 'other_amount' : null
}

function judgeMerchant(constraint: object, { merchant }: Closed): MandateFault | null {
  const parsed = allowedSchema.safeParse(constraint)
  if (!parsed.success) return 'malformed'
  const isAllowed = parsed.data.allowed.some(
    (one) =>
      // One that names nobody would allow a checkout without a merchant.
      Object.values(one).some((value) => value !== undefined) &&
      one.id === merchant?.id &&
      one.name === merchant?.name &&
      one.website === merchant?.website,
  )
  return isAllowed ? null : 'other_merchant'
}

function judgeDate(constraint: object, now: number): MandateFault | null {
  const parsed = windowSchema.safeParse(constraint)
  if (!parsed.success) return 'malformed'
  if (parsed.data.not_before !== undefined && now < parsed.data.not_before) return 'not_yet_valid'
  return parsed.data.not_after !== undefined && now > parsed.data.not_after ? 'expired' : null
}
