import type { buildRegisterForTypedData } from '@svc/core/signing/buildRegisterForTypedData.ts'

type Hex = `0x${string}`

/** What registering agents asks of the chain. */
export type ChainIdentities = {
  /** Where the identity registry is. @throws ApiError CHAIN_UNAVAILABLE before that is known. */
  deployment(): Promise<{ chainId: number; identityRegistry: Hex }>
  /** The nonce that the owner's next consent has to cover. @throws ApiError CHAIN_UNAVAILABLE. */
  ownerNonce(owner: Hex): Promise<bigint>
  /** Whether the registry would take the signature as the owner's. */
  verifyConsent(consent: {
    owner: Hex
    typedData: ReturnType<typeof buildRegisterForTypedData>
    signature: Hex
  }): Promise<boolean>
}
