/** The 62 digits of identifiers and keys, in the order of their character codes, so that identifiers sort like numbers. */
export const BASE62_DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

const LENGTH = 22

/**
 * Encodes 16 bytes as exactly 22 base62 characters, most significant first, padded with zeros.
 *
 * @throws Error for any other number of bytes.
 *
 * Source: Spec: Limits (22 characters after the prefix).
 */
export function encodeBase62(bytes16: Uint8Array): string {
  if (bytes16.length !== 16) throw new Error(`an identifier has 16 bytes, not ${bytes16.length}`)
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
 * Encodes 16 bytes as the identifier of an agent: `SVC-` and 22 base62 characters.
 *
 * Source: Spec: Agent.
 */
export function encodeAgentIdentifier(bytes16: Uint8Array): string {
  return `SVC-${encodeBase62(bytes16)}`
}

/**
 * Whether a text has the form of an agent's identifier; the agent need not exist.
 *
 * Source: Spec: Agent.
 */
export function isAgentIdentifier(text: string): boolean {
  return /^SVC-[0-9A-Za-z]{22}$/.test(text)
}

/**
 * Builds the text whose SHA-256 digest starts with the 16 bytes of a derived agent identifier. Clients hash it with the
 * means of their platform.
 *
 * @param ownerAddress Address in any case; it is lower-cased.
 * @param nonce Value of the header `X-Svc-Nonce`.
 */
export function buildAgentIdentifierPreimage(ownerAddress: `0x${string}`, nonce: string): string {
  return `SVC-AGENT-ID-V1\n${ownerAddress.toLowerCase()}\n${nonce}`
}

/**
 * Encodes 16 bytes as the identifier of an endpoint: `SVCE-` and 22 base62 characters.
 *
 * Source: Spec: Endpoint (counterparty).
 */
export function encodeEndpointIdentifier(bytes16: Uint8Array): string {
  return `SVCE-${encodeBase62(bytes16)}`
}

/**
 * Whether a text has the form of an endpoint's identifier; the endpoint need not exist.
 *
 * Source: Spec: Endpoint (counterparty).
 */
export function isEndpointIdentifier(text: string): boolean {
  return /^SVCE-[0-9A-Za-z]{22}$/.test(text)
}

/**
 * Encodes 16 bytes as the identifier of an individual developer: `SVCD-` and 22 base62 characters.
 *
 * Source: Spec: Allowlist entry.
 */
export function encodeDeveloperIdentifier(bytes16: Uint8Array): string {
  return `SVCD-${encodeBase62(bytes16)}`
}

/**
 * Whether a text has the form of a developer's identifier; the developer need not exist.
 *
 * Source: Spec: Allowlist entry.
 */
export function isDeveloperIdentifier(text: string): boolean {
  return /^SVCD-[0-9A-Za-z]{22}$/.test(text)
}

/**
 * Encodes 16 bytes as the identifier of an organisation: `SVCO-` and 22 base62 characters.
 *
 * Source: Spec: Endpoint (counterparty).
 */
export function encodeOrganizationIdentifier(bytes16: Uint8Array): string {
  return `SVCO-${encodeBase62(bytes16)}`
}

/**
 * Whether a text has the form of an organisation's identifier; the organisation need not exist.
 *
 * Source: Spec: Endpoint (counterparty).
 */
export function isOrganizationIdentifier(text: string): boolean {
  return /^SVCO-[0-9A-Za-z]{22}$/.test(text)
}
