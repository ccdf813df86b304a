import { getAddress, type Hex, hashMessage, isAddress, recoverAddress } from 'viem'
import { hasLowS } from './hasLowS.ts'

/** Asks a smart-contract wallet whether it stands by a signature (ERC-1271 `isValidSignature`). */
export type VerifyContractSignature = (claim: { address: Hex; hash: Hex; signature: Hex }) => Promise<boolean>

export type SignatureVerifier = {
  /**
   * The address that signed a text (EIP-191), in EIP-55 spelling, or null when nobody did.
   *
   * With `named`, only that address: as a key, or as a contract that stands by the signature.
   */
  signerOf(text: string, signature: string, named?: string): Promise<Hex | null>
}

export type SignatureVerifierOptions = {
  /** Null when there is no chain to ask; then only keys can sign. */
  verifyContractSignature: VerifyContractSignature | null
}

/** A signature of 65 bytes: r, s, v. */
const KEY_SIGNATURE = /^0x[0-9a-fA-F]{130}$/

/** What a contract accepts is its own affair; the bound is ours. */
const CONTRACT_SIGNATURE = /^0x([0-9a-fA-F]{2}){1,2048}$/

/**
 * Finds out who signed a text.
 *
 * A key's signature is 65 bytes with a low s; a high s, which anybody can make out of a good signature, is refused.
 * v is 27 or 28, or 0 or 1 as some signing devices write it: one signature thus has two spellings, which do no harm,
 * because what must happen once hangs on the nonce and not on the signature's bytes.
 *
 * Source: EIP-191, EIP-2, ERC-1271; api.md "Signed request".
 */
export function createSignatureVerifier(options: SignatureVerifierOptions): SignatureVerifier {
  return {
    async signerOf(text, signature, named) {
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
    // Numbers that belong to no point of the curve, or another v: nobody signed this.
    return null
  }
}

function isHexOf(form: RegExp, text: string): text is Hex {
  return form.test(text)
}
