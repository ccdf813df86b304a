import { concatBytes } from '../concatBytes.ts'
import type { Picture, PictureFault } from './picture.ts'

const START = 0xd8
const END = 0xd9
const SCAN = 0xda
/** Baseline, extended and progressive frames: those that browsers display. */
const FRAMES = new Set([0xc0, 0xc1, 0xc2])
/** Huffman tables, quantisation tables, restart interval: needed to decode a scan. */
const TABLES = new Set([0xc4, 0xdb, 0xdd])
const EXIF = 0xe1
/** States the colour space of the components. */
const ADOBE = 0xee
const isApplication = (marker: number) => marker >= 0xe0 && marker <= 0xef
const COMMENT = 0xfe

type Segment = { marker: number; from: number; to: number }

/**
 * Reads a JPEG file to its end, and rewrites it from the segments that make up the picture.
 *
 * Application segments, comments and anything after the end marker are dropped. Only the EXIF orientation is preserved, in a
 * segment of its own, because otherwise pictures from phones would appear rotated. Source: ITU-T T.81 Annex B.
 */
export function cleanJpeg(bytes: Uint8Array): Picture | PictureFault {
  if (bytes[0] !== 0xff || bytes[1] !== START || bytes[2] !== 0xff) return { fault: 'unknown_type' }
  const kept: Uint8Array[] = []
  let size: { width: number; height: number } | null = null
  let orientation: number | null = null
  let hasScan = false
  for (let at = 2; ; ) {
    const segment = readSegment(bytes, at)
    if (segment === null) return { fault: 'broken' }
    const { marker, from, to } = segment
    const content = bytes.subarray(from + 2, to)
    if (marker === END) break
    if (FRAMES.has(marker)) {
      if (size !== null) return { fault: 'broken' }
      size = readFrameSize(content)
      if (size === null) return { fault: 'broken' }
    } else if (marker === EXIF) orientation ??= readOrientation(content)
    else if (!TABLES.has(marker) && marker !== SCAN && marker !== COMMENT && !isApplication(marker)) {
      return { fault: 'broken' }
    }
    at = to
    if (marker === SCAN) {
      if (size === null) return { fault: 'broken' }
      at = endOfScan(bytes, to)
      hasScan = true
    }
    const isKept = !isApplication(marker) && marker !== COMMENT
    if (isKept || (marker === ADOBE && isAdobe(content)))
      kept.push(Uint8Array.of(0xff, marker), bytes.subarray(from, at))
  }
  if (size === null || !hasScan) return { fault: 'broken' }
  const turned = orientation === null || orientation === 1 ? [] : [buildOrientationSegment(orientation)]
  const head = [Uint8Array.of(0xff, START), ...turned]
  return {
    mediaType: 'image/jpeg',
    ...size,
    bytes: concatBytes([...head, ...kept, Uint8Array.of(0xff, END)]),
  }
}

/** Reads the segment whose marker is at `start`; `from` is at its length. Null if it is missing or incomplete. */
function readSegment(bytes: Uint8Array, start: number): Segment | null {
  let at = start
  if (bytes[at] !== 0xff) return null
  while (bytes[at] === 0xff) at += 1
  const marker = bytes[at]
  if (marker === undefined) return null
  const from = at + 1
  if (marker === END) return { marker, from, to: from }
  const length = ((bytes[from] ?? 0) << 8) | (bytes[from + 1] ?? 0)
  const to = from + length
  return length < 2 || to > bytes.length ? null : { marker, from, to }
}

/** Finds the next marker after a scan's data, in which 0xff is followed by 0 or is a restart marker. */
function endOfScan(bytes: Uint8Array, start: number): number {
  let at = start
  for (;;) {
    at = bytes.indexOf(0xff, at)
    if (at < 0) return bytes.length
    const next = bytes[at + 1] ?? 0xff
    if (next !== 0 && (next < 0xd0 || next > 0xd7)) return at
    at += 2
  }
}

function readFrameSize(content: Uint8Array): { width: number; height: number } | null {
  const [precision, h1 = 0, h0 = 0, w1 = 0, w0 = 0, components = 0] = content
  const [width, height] = [(w1 << 8) | w0, (h1 << 8) | h0]
  const isWhole = content.length === 6 + components * 3 && [1, 3, 4].includes(components)
  return precision === 8 && width > 0 && height > 0 && isWhole ? { width, height } : null
}

function isAdobe(content: Uint8Array): boolean {
  return content.length === 12 && String.fromCharCode(...content.subarray(0, 5)) === 'Adobe'
}

/** An EXIF segment with one entry. Source: TIFF 6.0 §2; Exif 2.32 §4.6.2. */
function buildOrientationSegment(orientation: number): Uint8Array {
  const entry = [0x01, 0x12, 0x00, 0x03, 0, 0, 0, 1, 0x00, orientation, 0, 0]
  const tiff = [0x4d, 0x4d, 0x00, 0x2a, 0, 0, 0, 8, 0x00, 0x01, ...entry, 0, 0, 0, 0]
  const content = [0x45, 0x78, 0x69, 0x66, 0, 0, ...tiff]
  return Uint8Array.of(0xff, EXIF, 0, content.length + 2, ...content)
}

const ORIENTATION = 0x0112
const SHORT = 3

/**
 * The orientation, 1 to 8, in a JPEG's first application segment; null when it has none. Source: Exif 2.32 §4.6.4 (tag
 * 0112), TIFF 6.0 §2.
 */
function readOrientation(content: Uint8Array): number | null {
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
