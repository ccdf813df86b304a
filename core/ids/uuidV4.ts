import { uuidOfBytes } from './uuidOfBytes.ts'

/**
 * A random UUID out of 16 random bytes, of which 122 bits are kept: for what the specification calls a UUID.
 *
 * @throws Error when it is not given 16 bytes.
 *
 * Source: RFC 9562 §5.4; api.md "Identifiers".
 */
export function uuidV4(bytes16: Uint8Array): string {
  if (bytes16.length !== 16) throw new Error(`a UUID is made of 16 bytes, not ${bytes16.length}`)
  return uuidOfBytes(bytes16, 4)
}
