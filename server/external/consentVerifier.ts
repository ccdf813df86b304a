import type { buildRegisterForTypedData } from '@svc/core/signing/buildRegisterForTypedData.ts'
import { type Hex, hashTypedData, isAddressEqual, recoverAddress } from 'viem'
import { hasLowS } from './hasLowS.ts'
import type { VerifyContractSignature } from './signatureVerifier.ts'

/** An owner's signature that lets the relayer register an agent in the owner's name. */
export type Consent = { owner: Hex; typedData: ReturnType<typeof buildRegisterForTypedData>; signature: Hex }

/**
 * Says whether the identity registry would take a consent as its owner's.
 *
 * It is as strict as the contract: a key's signature is 65 bytes, r, s, v, with a low s and v 27 or 28. Any other may be one
 * that the owner, a smart-contract wallet, stands by.
 *
 * @param verifyContractSignature Null when there is no chain to ask; then only keys can sign.
 * Source: EIP-712, ERC-1271; onchain.md "Additions" (`registerFor`).
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
    // Numbers that belong to no point of the curve: nobody signed this.
    return false
  }
}
