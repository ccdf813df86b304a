const WEI_PER_GWEI = 1_000_000_000n

/** An amount of wei in whole gwei, rounded up; exact as a number up to nine million ether. */
export function costGwei(wei: bigint): number {
  return Number((wei + WEI_PER_GWEI - 1n) / WEI_PER_GWEI)
}
