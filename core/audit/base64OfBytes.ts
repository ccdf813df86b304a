/** Bytes in standard base64 with padding. Source: RFC 4648 §4. */
export function base64OfBytes(bytes: Uint8Array): string {
  let characters = ''
  for (const byte of bytes) characters += String.fromCharCode(byte)
  return btoa(characters)
}
