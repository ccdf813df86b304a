import { getAddress, type Hex, hashMessage, isAddress, recoverAddress } from 'viem'
import { hasLowS } from './hasLowS.ts'

/** Asks a smart-contract wallet whether it accepts a signature (ERC-1271 `isValidSignature`). */
export type VerifyContractSignature = (claim: { address: Hex; hash: Hex; signature: Hex }) => Promise<boolean>

export type SignatureVerifier = {
  /**
   * Recovers the address that signed a text (EIP-191), in EIP-55 spelling; null for an invalid signature.
   *
   * With `named`, only that address is accepted: as a key, or as a contract that accepts the signature.
   */
  recoverSigner(text: string, signature: string, named?: string): Promise<Hex | null>
}

export type SignatureVerifierOptions = {
  /** Null without a chain; then only keys can sign. */
  verifyContractSignature: VerifyContractSignature | null
}

/** 65 bytes: r, s, v. */
const KEY_SIGNATURE = /^0x[0-9a-fA-F]{130}$/

/** A contract decides on the form of its signatures; only their length is bounded here. */
const CONTRACT_SIGNATURE = /^0x([0-9a-fA-F]{2}){1,2048}$/

/**
 * Creates a verifier that recovers who signed a text.
 *
 * The signature of a key is 65 bytes with a low s; a high s, which anyone can compute from a valid signature, is refused.
 * v is 27 or 28, or 0 or 1 as written by some signing devices. So a signature has two encodings, which is harmless because
 * replay protection depends on the nonce and not on the signature's bytes.
 *
 * Source: EIP-191, EIP-2, ERC-1271.
 */
export function createSignatureVerifier(options: SignatureVerifierOptions): SignatureVerifier {
  return {
    async recoverSigner(text, signature, named) {
      const hash = hashMessage(text)
      const signer = await recover(hash, signature)
      if (named === undefined) return signer
      if (!isAddress(named, { strict: false })) return null
      const address = getAddress(named)
      if (signer === address) return signer
      if (!options.verifyContractSignature || !isHexOf(CONTRACT_SIGNATURE, signature)) return null
      const isGood = await options.verifyContractSignature({ address, hash, signature })
      return isGood ? address : null
    },
  }
}

async function recover(hash: Hex, signature: string): Promise<Hex | null> {
  if (!isHexOf(KEY_SIGNATURE, signature) || !hasLowS(signature)) return null
  try {
    return await recoverAddress({ hash, signature })
  } catch {
    // The numbers give no point of the curve, or v is invalid.
    return null
  }
}

function isHexOf(form: RegExp, text: string): text is Hex {
  return form.test(text)
}
