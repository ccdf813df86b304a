/** The bytes with one bit of each in turn turned over, another bit in the next. */
export function alterEachByte(bytes: Uint8Array): Buffer[] {
  return Array.from(bytes, (byte, at) => {
    const altered = Buffer.from(bytes)
    altered[at] = byte ^ (1 << (at % 8))
    return altered
  })
}
