import { base64OfBytes } from './base64OfBytes.ts'

/**
 * The bytes of standard base64 with padding; null for any other text.
 *
 * Only the one spelling an encoder gives is taken, so that no two texts stand for the same bytes.
 *
 * Source: RFC 4648 §4 and §3.5.
 */
export function bytesOfBase64(text: string): Uint8Array | null {
  try {
    const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
    return base64OfBytes(bytes) === text ? bytes : null
  } catch {
    return null
  }
}
