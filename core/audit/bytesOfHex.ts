/** The value of each digit by its character code; 255 for what is not one. */
const DIGIT_VALUES = Uint8Array.from({ length: 128 }, (_, code) => {
  const value = Number.parseInt(String.fromCharCode(code), 16)
  return Number.isNaN(value) ? 255 : value
})

/**
 * The bytes that hexadecimal digits stand for, with or without `0x` in front, in either case.
 *
 * @throws Error when the text is not an even number of hexadecimal digits.
 */
export function bytesOfHex(hex: string): Uint8Array {
  const start = hex.startsWith('0x') ? 2 : 0
  if (hex.length % 2 !== 0) throw new Error('an odd number of hexadecimal digits')
  const bytes = new Uint8Array((hex.length - start) / 2)
  for (let i = 0; i < bytes.length; i++) {
    bytes[i] = digitAt(hex, start + i * 2) * 16 + digitAt(hex, start + i * 2 + 1)
  }
  return bytes
}

function digitAt(hex: string, at: number): number {
  const value = DIGIT_VALUES[hex.charCodeAt(at)] ?? 255
  if (value === 255) throw new Error(`not a hexadecimal digit at position ${at}`)
  return value
}
