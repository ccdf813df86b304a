/** The algorithms of JWS that agents sign with, and what RFC 9421 calls them, by which an agent's keys are stored. */
export const HTTP_ALGORITHMS: Readonly<Record<string, string>> = {
  EdDSA: 'ed25519',
  ES256: 'ecdsa-p256-sha256',
}
