import type { buildRegisterForTypedData } from '@svc/core/signing/buildRegisterForTypedData.ts'

type Hex = `0x${string}`

/** What agent registration needs from the chain. */
export type ChainIdentities = {
  /** Chain id and address of the identity registry. @throws ApiError CHAIN_UNAVAILABLE before they are known. */
  deployment(): Promise<{ chainId: number; identityRegistry: Hex }>
  /** The nonce for the owner's next consent. @throws ApiError CHAIN_UNAVAILABLE. */
  ownerNonce(owner: Hex): Promise<bigint>
  /** Whether the registry would accept the signature as the owner's. */
  verifyConsent(consent: {
    owner: Hex
    typedData: ReturnType<typeof buildRegisterForTypedData>
    signature: Hex
  }): Promise<boolean>
}
