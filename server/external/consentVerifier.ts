import type { buildRegisterForTypedData } from '@svc/core/signing/buildRegisterForTypedData.ts'
import { type Hex, hashTypedData, isAddressEqual, recoverAddress } from 'viem'
import { hasLowS } from './hasLowS.ts'
import type { VerifyContractSignature } from './signatureVerifier.ts'

/** An owner's signature that permits the relayer to register an agent in the owner's name. */
export type Consent = { owner: Hex; typedData: ReturnType<typeof buildRegisterForTypedData>; signature: Hex }

/**
 * Creates a function that tells whether the identity registry would accept a consent.
 *
 * It is as strict as the contract: the signature of a key has 65 bytes, r, s and v, with a low s and v 27 or 28. Any other
 * signature is passed to the owner's address, which may be a smart-contract wallet.
 *
 * @param verifyContractSignature Null without a chain; then only keys can sign.
 * Source: EIP-712, ERC-1271.
 */
export function createConsentVerifier(verifyContractSignature: VerifyContractSignature | null) {
  return async ({ owner, typedData, signature }: Consent): Promise<boolean> => {
    const hash = hashTypedData(typedData)
    if (isStrictKeySignature(signature) && (await isSignedByKey(owner, hash, signature))) return true
    return verifyContractSignature === null
      ? false
      : verifyContractSignature({ address: owner, hash, signature })
  }
}

function isStrictKeySignature(signature: Hex): boolean {
  return /^0x[0-9a-f]{128}1[bc]$/i.test(signature) && hasLowS(signature)
}

async function isSignedByKey(owner: Hex, hash: Hex, signature: Hex): Promise<boolean> {
  try {
    return isAddressEqual(await recoverAddress({ hash, signature }), owner)
  } catch {
    // The numbers give no point of the curve.
    return false
  }
}
