import { z } from 'zod'
import { convertMinorUnits } from '../convertMinorUnits.ts'
import type { MandateTerms } from './findContradiction.ts'

/** Integers in the minor unit of the currency. Source: AP2 0.2 `types/amount.json`; UCP Checkout. */
const minorUnits = z.int().min(0)
const currency = z
  .string()
  .regex(/^[A-Za-z]{3}$/)
  .transform((code) => code.toUpperCase())

/** A merchant. Source: AP2 0.2 `types/merchant.json`. */
export const merchantSchema = z.object({
  id: z.string().optional(),
  name: z.string().optional(),
  website: z.string().optional(),
})

/** An amount in its currency. */
export const amountSchema = z.object({ amount: minorUnits, currency })

const checkoutSchema = z.object({
  currency,
  totals: z.array(z.looseObject({ type: z.string(), amount: z.int() })).max(100),
  merchant: merchantSchema.optional(),
  expires_at: z.iso.datetime({ offset: true }).optional(),
})

/** Converts an amount of a protocol to the units of a request. */
export function amountOf({ amount, currency: code }: z.output<typeof amountSchema>): {
  amount: number
  currency: string
} {
  return { amount: convertMinorUnits(amount, code), currency: code }
}

/** Lists the names of a merchant. */
export function payeesOf({ id, name }: z.output<typeof merchantSchema>): string[] {
  return [id, name].filter((one) => one !== undefined)
}

/**
 * Reads the terms of a checkout: its total, its merchant and until when it is offered; null for what is none.
 *
 * Source: UCP Checkout, which AP2 uses as well.
 */
export function readCheckout(checkout: unknown): (MandateTerms & { merchant: object | undefined }) | null {
  const parsed = checkoutSchema.safeParse(checkout)
  if (!parsed.success) return null
  const { merchant, totals, expires_at: expiresAt, currency: code } = parsed.data
  const [total, ...more] = totals.filter(({ type }) => type === 'total')
  if (total === undefined || more.length > 0 || total.amount < 0) return null
  return {
    ...amountOf({ amount: total.amount, currency: code }),
    payees: merchant === undefined ? [] : payeesOf(merchant),
    ...{ website: merchant?.website, merchant },
    expiresAt: expiresAt === undefined ? undefined : Date.parse(expiresAt) / 1000,
  }
}
