import { compileLimits } from '@svc/core/pdlss/compileLimits.ts'
import type { Pdlss } from '@svc/core/pdlss/pdlss.ts'
import { amountInWords } from '../amountInWords.ts'

/**
 * What the spend thresholds come to, range by range, from the limits as they are compiled for decisions.
 *
 * Source: verification.md "Spend".
 */
export function spendInWords(limits: Pdlss['limits']): readonly string[] {
  const { autonomousThreshold: asks, freshThreshold, hardLimit, currency } = compileLimits(limits, undefined)
  if (hardLimit === Number.POSITIVE_INFINITY) return ['No threshold: spend is not limited.']
  const amount = (value: number) => amountInWords(value, currency)
  const fresh = Math.max(freshThreshold, asks)
  const ranges: [from: number, to: number, what: string][] = [
    [0, asks, 'allowed'],
    [asks, Math.min(fresh, hardLimit), 'asks the owner'],
    [fresh, hardLimit, 'asks the owner, with a passkey used for this request'],
  ]
  const said = ranges
    .filter(([from, to]) => from < to)
    .map(
      ([from, to, what]) =>
        `${from === 0 ? `below ${amount(to)}` : `${amount(from)} to below ${amount(to)}`}: ${what}`,
    )
  return [...said, `from ${amount(hardLimit)}: refused`]
}
