import type { MutationResult } from './mutationResults.ts'

/** Formats the percentage of changes that were noticed, rounded down. */
export function formatMutationScore({ mutants, killed, timedOut }: MutationResult): string {
  return `${(Math.floor((1000 * (killed + timedOut)) / mutants) / 10).toFixed(1)} %`
}
