/** The 62 digits of identifiers and keys, in the order of their character codes, so that ids sort as numbers. */
export const BASE62_DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

const LENGTH = 22

/**
 * 128 bits as exactly 22 base62 characters, the most significant first, padded with zeros.
 *
 * @throws Error when it is not given 16 bytes.
 *
 * Source: api.md "Identifiers"; Spec: Limits (22 characters after the prefix).
 */
export function encodeBase62(bytes16: Uint8Array): string {
  if (bytes16.length !== 16) throw new Error(`an identifier is made of 16 bytes, not ${bytes16.length}`)
  let value = 0n
  for (const byte of bytes16) value = (value << 8n) | BigInt(byte)
  let id = ''
  while (id.length < LENGTH) {
    id = BASE62_DIGITS.charAt(Number(value % 62n)) + id
    value /= 62n
  }
  return id
}

/**
 * The identifier of an agent out of 16 random bytes: `SVC-` and 22 base62 characters.
 *
 * Source: api.md "Identifiers"; Spec: Agent.
 */
export function generateAgentIdentifier(bytes16: Uint8Array): string {
  return `SVC-${encodeBase62(bytes16)}`
}

/**
 * Whether a text has the form of the identifier of an agent; it says nothing about whether there is one.
 *
 * Source: api.md "Identifiers"; Spec: Agent.
 */
export function isAgentIdentifier(text: string): boolean {
  return /^SVC-[0-9A-Za-z]{22}$/.test(text)
}

/**
 * The text whose SHA-256 digest begins with the 16 bytes of a derived agent identifier; for clients, which hash by the
 * platform's own means.
 *
 * @param ownerAddress Address in any case; it is lower-cased.
 * @param nonce Value of the header `X-Svc-Nonce`.
 *
 * Source: onchain.md "Additions" (`registerFor`).
 */
export function buildAgentIdentifierPreimage(ownerAddress: `0x${string}`, nonce: string): string {
  return `SVC-AGENT-ID-V1\n${ownerAddress.toLowerCase()}\n${nonce}`
}

/**
 * The identifier of an endpoint out of 16 random bytes: `SVCE-` and 22 base62 characters.
 *
 * Source: api.md "Identifiers"; Spec: Endpoint (counterparty).
 */
export function generateEndpointIdentifier(bytes16: Uint8Array): string {
  return `SVCE-${encodeBase62(bytes16)}`
}

/**
 * Whether a text has the form of the identifier of an endpoint; it says nothing about whether there is one.
 *
 * Source: api.md "Identifiers"; Spec: Endpoint (counterparty).
 */
export function isEndpointIdentifier(text: string): boolean {
  return /^SVCE-[0-9A-Za-z]{22}$/.test(text)
}

/**
 * The identifier of an individual developer out of 16 random bytes: `SVCD-` and 22 base62 characters.
 *
 * Source: api.md "Identifiers"; Spec: Allowlist entry.
 */
export function generateDeveloperIdentifier(bytes16: Uint8Array): string {
  return `SVCD-${encodeBase62(bytes16)}`
}

/**
 * Whether a text has the form of the identifier of an individual developer; it says nothing about whether there is one.
 *
 * Source: api.md "Identifiers"; Spec: Allowlist entry.
 */
export function isDeveloperIdentifier(text: string): boolean {
  return /^SVCD-[0-9A-Za-z]{22}$/.test(text)
}

/**
 * The identifier of an organisation out of 16 random bytes: `SVCO-` and 22 base62 characters.
 *
 * Source: api.md "Identifiers"; Spec: Endpoint (counterparty).
 */
export function generateOrganizationIdentifier(bytes16: Uint8Array): string {
  return `SVCO-${encodeBase62(bytes16)}`
}

/**
 * Whether a text has the form of the identifier of an organisation; it says nothing about whether there is one.
 *
 * Source: api.md "Identifiers"; Spec: Endpoint (counterparty).
 */
export function isOrganizationIdentifier(text: string): boolean {
  return /^SVCO-[0-9A-Za-z]{22}$/.test(text)
}
