import { bytesOfBase64 } from '../audit/bytesOfBase64.ts'

/**
 * The bytes of base64url without padding; null for any other text, another spelling of the same bytes included.
 *
 * Source: RFC 7515 §2, Appendix C.
 */
export function bytesOfBase64Url(text: string): Uint8Array | null {
  if (!/^[A-Za-z0-9_-]*$/.test(text)) return null
  const standard = text.replaceAll('-', '+').replaceAll('_', '/')
  return bytesOfBase64(standard.padEnd(Math.ceil(standard.length / 4) * 4, '='))
}
