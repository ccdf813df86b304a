import type { Picture, PictureFault } from './picture.ts'

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
/** The chunks that make up the picture: header, palette, data, transparency and colours. */
const KEPT = new Set(['IHDR', 'PLTE', 'IDAT', 'IEND', 'tRNS', 'gAMA', 'sRGB'])
/** Length, type and checksum of a chunk. */
const FRAME_BYTES = 12

/**
 * Reads a PNG file to its end, checks every checksum, and rewrites the file from the chunks that make up the picture.
 *
 * Texts, EXIF, further frames and anything after the end are dropped. Source: PNG (Third Edition) §5.
 */
export function cleanPng(bytes: Uint8Array): Picture | PictureFault {
  if (SIGNATURE.some((byte, at) => bytes[at] !== byte)) return { fault: 'unknown_type' }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const whole = new Uint8Array(bytes.length)
  whole.set(SIGNATURE)
  let written = SIGNATURE.length
  let size: { width: number; height: number } | null = null
  let hasData = false
  for (let at = SIGNATURE.length; ; ) {
    if (at + FRAME_BYTES > bytes.length) return { fault: 'broken' }
    const length = view.getUint32(at)
    const end = at + FRAME_BYTES + length
    if (end > bytes.length) return { fault: 'broken' }
    if (computeCrc32(bytes.subarray(at + 4, end - 4)) !== view.getUint32(end - 4)) return { fault: 'broken' }
    const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8))
    if ((type === 'IHDR') !== (size === null)) return { fault: 'broken' }
    if (type === 'IHDR') {
      size = { width: view.getUint32(at + 8), height: view.getUint32(at + 12) }
      if (length !== 13) return { fault: 'broken' }
    }
    if (KEPT.has(type)) {
      whole.set(bytes.subarray(at, end), written)
      written += end - at
    } else if (isCritical(type)) return { fault: 'broken' }
    hasData ||= type === 'IDAT'
    if (type === 'IEND') break
    at = end
  }
  if (size === null || !hasData || size.width === 0 || size.height === 0) return { fault: 'broken' }
  return { mediaType: 'image/png', ...size, bytes: whole.slice(0, written) }
}

/** A chunk without which the picture cannot be shown has a capital first letter. */
function isCritical(type: string): boolean {
  return /^[A-Z]/.test(type)
}

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte
  for (let bit = 0; bit < 8; bit += 1) rest = rest & 1 ? 0xedb88320 ^ (rest >>> 1) : rest >>> 1
  return rest >>> 0
})

/** The checksum of a PNG's chunk, unsigned. Source: PNG (Third Edition) Annex D; ISO/IEC 13239. */
export function computeCrc32(bytes: Uint8Array): number {
  let rest = 0xffffffff
  for (const byte of bytes) rest = (TABLE[(rest ^ byte) & 0xff] ?? 0) ^ (rest >>> 8)
  return (rest ^ 0xffffffff) >>> 0
}
