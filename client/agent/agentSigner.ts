import { decodeHex } from '@svc/core/bytes.ts'
import type { MessageSigner } from './signRequest.ts'

/** Algorithms of an agent's keys. Source: RFC 9421 §3.3. */
export type KeyAlgorithm = 'ed25519' | 'ecdsa-p256-sha256'

/**
 * What signs for an agent: a key of `generateAgentKey` or `importAgentKey`, an Ethereum account (`accountSigner`), or any
 * object of this form, such as one that asks a key management service.
 */
export type AgentSigner = {
  /** JWK thumbprint of the key (RFC 7638), or `erc8128:<chainId>:<address>`. */
  readonly keyid: string
  /** Undefined for an Ethereum account, which cannot sign intent proofs. */
  readonly algorithm?: KeyAlgorithm | undefined
  /** Signs a text in UTF-8. ECDSA signatures have 64 bytes: r and s (IEEE P1363). */
  sign(text: string): Promise<Uint8Array>
}

/**
 * Makes an Ethereum account a signer of requests: the agent's owner, or its `agentWallet`.
 *
 * The account signs as in `personal_sign`. A smart-contract account validates the signature itself, on the given chain
 * (ERC-1271).
 *
 * Source: ERC-8128; EIP-191.
 */
export function accountSigner(account: MessageSigner, { chainId }: { chainId: number }): AgentSigner {
  return {
    keyid: `erc8128:${chainId}:${account.address.toLowerCase()}`,
    sign: async (text) => decodeHex(await account.signMessage({ message: text })),
  }
}
