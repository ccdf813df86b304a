const ORIENTATION = 0x0112
const SHORT = 3

/**
 * How a picture is to be turned, 1 to 8, out of the content of a JPEG's first application segment; null when it does not
 * say. Source: Exif 2.32 §4.6.4 (tag 0112), TIFF 6.0 §2.
 */
export function exifOrientation(content: Uint8Array): number | null {
  if (String.fromCharCode(...content.subarray(0, 6)) !== 'Exif\0\0') return null
  const tiff = content.subarray(6)
  const view = new DataView(tiff.buffer, tiff.byteOffset, tiff.byteLength)
  if (tiff.length < 8) return null
  const isLittle = view.getUint16(0) === 0x4949
  const directory = view.getUint32(4, isLittle)
  if (directory + 2 > tiff.length) return null
  const count = view.getUint16(directory, isLittle)
  for (let entry = 0; entry < count; entry += 1) {
    const at = directory + 2 + entry * 12
    if (at + 12 > tiff.length) return null
    if (view.getUint16(at, isLittle) !== ORIENTATION || view.getUint16(at + 2, isLittle) !== SHORT) continue
    const value = view.getUint16(at + 8, isLittle)
    return value >= 1 && value <= 8 ? value : null
  }
  return null
}
