/** Returns one copy of the bytes for each byte, with one bit of that byte flipped; the bit position rotates. */
export function alterEachByte(bytes: Uint8Array): Buffer[] {
  return Array.from(bytes, (byte, at) => {
    const altered = Buffer.from(bytes)
    altered[at] = byte ^ (1 << (at % 8))
    return altered
  })
}
