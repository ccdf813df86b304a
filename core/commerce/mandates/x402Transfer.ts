import type { X402Asset } from './x402Assets.ts'

/** A transfer that its payer signed. Source: EIP-3009 `transferWithAuthorization`. */
export type X402Transfer = {
  chainId: number
  asset: X402Asset
  from: string
  to: string
  value: bigint
  validAfter: bigint
  validBefore: bigint
  nonce: string
  signature: string
}
