const encoder = new TextEncoder()

/** The bytes of a text in UTF-8. Bytes are passed on: Web Crypto only reads them, whatever buffer they are in. */
export function bytesOf(data: string | Uint8Array): Uint8Array<ArrayBuffer> {
  return typeof data === 'string' ? encoder.encode(data) : (data as Uint8Array<ArrayBuffer>)
}
