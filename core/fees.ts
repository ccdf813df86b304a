/** EIP-1559 fees of a transaction, in wei per gas. */
export type Fees = { maxFeePerGas: bigint; maxPriorityFeePerGas: bigint }

/** The current base fee and tip, and the highest permitted fee, in wei per gas. */
export type FeeMarket = { baseFee: bigint; tip: bigint; cap: bigint }

/**
 * Returns the fees of a new transaction, with room for the base fee to double, up to the cap. Null while the base fee alone
 * exceeds the cap: such a transaction would only block the ones behind it.
 *
 * Source: EIP-1559.
 */
export function proposeFees({ baseFee, tip, cap }: FeeMarket): Fees | null {
  if (baseFee > cap) return null
  const maxFeePerGas = min(2n * baseFee + tip, cap)
  return { maxFeePerGas, maxPriorityFeePerGas: min(tip, maxFeePerGas) }
}

/**
 * Returns the fees of a replacement: both at least 12.5 % higher than before, as nodes require of a replacement. Null if
 * that exceeds the cap.
 */
export function raiseFees(former: Fees, market: FeeMarket): Fees | null {
  const least = { fee: raise(former.maxFeePerGas), tip: raise(former.maxPriorityFeePerGas) }
  if (least.fee > market.cap) return null
  const wanted = max(least.fee, 2n * market.baseFee + market.tip)
  const maxFeePerGas = min(wanted, market.cap)
  return { maxFeePerGas, maxPriorityFeePerGas: min(max(least.tip, market.tip), maxFeePerGas) }
}

/** Adds an eighth, rounded up; at least one wei, because a tip of 0 would never be higher. */
function raise(wei: bigint): bigint {
  return max((wei * 9n + 7n) / 8n, wei + 1n)
}

function min(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}

function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}
