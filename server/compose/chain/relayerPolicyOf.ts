import { parseGwei } from 'viem'
import type { Config } from '../../config.ts'
import type { RelayerPolicy } from '../../services/relayer/relayerDeps.ts'

/** Returns the limits of the relayer; the daily budget is in wei. */
export function relayerPolicyOf(settings: Config['chain'], dailyBudget: bigint | null): RelayerPolicy {
  return {
    confirmations: settings.confirmations,
    maxFeePerGas: parseGwei(settings.maxFeeGwei),
    dailyBudgetGwei: dailyBudget === null ? null : Number(dailyBudget / 1_000_000_000n),
    accountShare: settings.budgetShares.account,
    networkShare: settings.budgetShares.network,
    resendMs: settings.local ? 2_000 : 30_000,
    replaceMs: settings.local ? 15_000 : 120_000,
  }
}
