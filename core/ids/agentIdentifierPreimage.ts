/**
 * The text whose SHA-256 digest begins with the 16 bytes of a derived agent identifier; for clients, which hash by the
 * platform's own means.
 *
 * @param ownerAddress Address in any case; it is lower-cased.
 * @param nonce Value of the header `X-Svc-Nonce`.
 *
 * Source: onchain.md "Additions" (`registerFor`).
 */
export function agentIdentifierPreimage(ownerAddress: `0x${string}`, nonce: string): string {
  return `SVC-AGENT-ID-V1\n${ownerAddress.toLowerCase()}\n${nonce}`
}
