import type { HolderStatement } from '@svc/core/signing/holderStatement.ts'

/** A holder's statement, with its proof. */
export type HolderClaim = HolderStatement & {
  /** A compact JWS, or the `0x…` signature of an Ethereum address. */
  proof: string | undefined
  now: number
}
