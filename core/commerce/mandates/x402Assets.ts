/** A token that can be transferred by a signature, and the domain that the signature covers. Source: EIP-3009; EIP-712. */
export type X402Asset = {
  /** In lower case. */
  address: string
  /** The currency code of a boundary. */
  currency: string
  decimals: number
  name: string
  version: string
}

const usdc = (address: string, name = 'USD Coin'): X402Asset => ({
  ...{ address: address.toLowerCase(), currency: 'USDC', decimals: 6, name, version: '2' },
})

/**
 * The tokens of each network whose transfers can be verified; the first one is meant by a payment that names none.
 *
 * Others are refused: without knowing a token, neither its value nor its signatures mean anything. Source: x402
 * `defaultAssets.ts`, and `shared/evm/config.ts` of version 1.
 */
export const x402Assets: Readonly<Record<string, readonly [X402Asset, ...X402Asset[]]>> = {
  'eip155:8453': [usdc('0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913')],
  'eip155:84532': [usdc('0x036CbD53842c5426634e7929541eC2318f3dCF7e', 'USDC')],
  'eip155:137': [usdc('0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359')],
  'eip155:42161': [usdc('0xaf88d065e77c8cC2239327C5EDb3A432268e5831')],
  'eip155:43114': [usdc('0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E')],
  'eip155:143': [usdc('0x754704Bc059F8C67012fEd69BC8A327a5aafb603')],
}

/** The names of networks in version 1. Source: x402 v1, 5.2. */
export const X402_NETWORKS: Readonly<Record<string, string>> = {
  base: 'eip155:8453',
  'base-sepolia': 'eip155:84532',
  polygon: 'eip155:137',
  avalanche: 'eip155:43114',
}
