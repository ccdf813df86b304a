import type { Fees } from '../../chain/chainTypes.ts'

/** What gas costs at present and may cost at most, in wei per gas. */
export type FeeMarket = { baseFee: bigint; tip: bigint; cap: bigint }

/**
 * Fees of a new transaction: room for the base fee to double, within the cap; null while the base fee alone is above
 * the cap, because such a transaction would only be in the way.
 *
 * Source: EIP-1559.
 */
export function firstFees({ baseFee, tip, cap }: FeeMarket): Fees | null {
  if (baseFee > cap) return null
  const maxFeePerGas = lower(2n * baseFee + tip, cap)
  return { maxFeePerGas, maxPriorityFeePerGas: lower(tip, maxFeePerGas) }
}

/**
 * Fees of a replacement: both at least 12.5 % above the former, which is what nodes ask before they let one
 * transaction take the place of another; null when that would pass the cap.
 *
 * Source: onchain.md "Relayer".
 */
export function replacementFees(former: Fees, market: FeeMarket): Fees | null {
  const least = { fee: raised(former.maxFeePerGas), tip: raised(former.maxPriorityFeePerGas) }
  if (least.fee > market.cap) return null
  const wanted = higher(least.fee, 2n * market.baseFee + market.tip)
  const maxFeePerGas = lower(wanted, market.cap)
  return { maxFeePerGas, maxPriorityFeePerGas: lower(higher(least.tip, market.tip), maxFeePerGas) }
}

/** An eighth more, rounded up. */
function raised(wei: bigint): bigint {
  return (wei * 9n + 7n) / 8n
}

function lower(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}

function higher(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}
