/** The JSON value of bytes in UTF-8; undefined for what is none. Source: RFC 8259 §8.1. */
export function jsonOfBytes(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return undefined
  }
}
