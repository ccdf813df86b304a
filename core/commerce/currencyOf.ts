/** The boundary's codes of tokens that protocols name by address; each token is worth one unit of its currency. */
const TOKEN_CODES: ReadonlyMap<string, string> = new Map([
  // Tempo: USDC.e and pathUSD.
  ['0x20c000000000000000000000b9537d11c60e8b50', 'USDC'],
  ['0x20c0000000000000000000000000000000000000', 'USD'],
  // USDC on Ethereum, Base, Base Sepolia, Polygon, Arbitrum, Avalanche and Solana.
  ['0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48', 'USDC'],
  ['0x833589fcd6edb6e08f4c7c32d4f71b54bda02913', 'USDC'],
  ['0x036cbd53842c5426634e7929541ec2318f3dcf7e', 'USDC'],
  ['0x3c499c542cef5e3811e1192ce70d8cc03d5c3359', 'USDC'],
  ['0xaf88d065e77c8cc2239327c5edb3a432268e5831', 'USDC'],
  ['0xb97ef9ef8734c71904d8002f8b6bc66dd9c48a6e', 'USDC'],
  ['EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', 'USDC'],
])

/**
 * The currency code of a boundary for a currency as a payment protocol writes it: an ISO code, a token's symbol or its
 * address. Undefined for a token that is not known.
 *
 * A bridged token (`USDC.e`) counts as the token it stands for. Codes are upper case; symbols are not, so both are accepted.
 * Source: ISO 4217; Spec: PDLSS object, `limits.currency`.
 */
export function currencyOf(written: string): string | undefined {
  const address = written.startsWith('0x') ? written.toLowerCase() : written
  const [symbol = ''] = written.split('.', 1)
  return TOKEN_CODES.get(address) ?? (/^[A-Za-z]{3,10}$/.test(symbol) ? symbol.toUpperCase() : undefined)
}
