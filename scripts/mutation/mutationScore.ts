import type { MutationResult } from './mutationResults.ts'

/** Of all changes that could be noticed, how many in a hundred were; rounded down, so that it never flatters. */
export function mutationScore({ mutants, killed, timedOut }: MutationResult): string {
  return `${(Math.floor((1000 * (killed + timedOut)) / mutants) / 10).toFixed(1)} %`
}
