import type { X402Transfer } from '@svc/core/commerce/mandates/x402Transfer.ts'
import { type Hex, recoverTypedDataAddress } from 'viem'
import { hasLowS } from '../hasLowS.ts'

const TYPES = {
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const

/**
 * Recovers the account that signed a transfer, in lower case; null for an invalid signature.
 *
 * Source: EIP-3009 `TransferWithAuthorization`; EIP-712.
 */
export async function recoverPayer({
  chainId,
  asset,
  signature,
  ...transfer
}: X402Transfer): Promise<string | null> {
  if (!hasLowS(signature as Hex)) return null
  const { name, version, address } = asset
  // The checksum of an address is no part of what is signed.
  const [from, to] = [transfer.from.toLowerCase() as Hex, transfer.to.toLowerCase() as Hex]
  const { value, validAfter, validBefore, nonce } = transfer
  try {
    const signer = await recoverTypedDataAddress({
      domain: { name, version, chainId, verifyingContract: address as Hex },
      types: TYPES,
      primaryType: 'TransferWithAuthorization',
      message: { from, to, value, validAfter, validBefore, nonce: nonce as Hex },
      signature: signature as Hex,
    })
    return signer.toLowerCase()
  } catch {
    // The numbers give no point of the curve, or v is invalid.
    return null
  }
}
