import type { AccountNonces, Round } from './startRound.ts'

/** Finds an account of the relayer by its address; null if its key is not known. */
export function findAccount(round: Round, address: string | null): AccountNonces | null {
  return [round, ...round.others].find(({ sender }) => sender === address) ?? null
}
