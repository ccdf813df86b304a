// Own code: image libraries decode the file, which is the largest attack surface an upload can have; this only copies.
import { cleanJpeg } from './cleanJpeg.ts'
import { cleanPng } from './cleanPng.ts'
import type { Picture, PictureFault } from './picture.ts'

/** Below this the small print of a passport is unreadable; a picture of only the zone is wider than high. */
const SIDE_MIN = 200
const SIDE_MAX = 12_000
/** Pixels that a browser holds in memory for one picture, at 4 bytes each. */
const PIXELS_MAX = 64_000_000

/**
 * Rewrites a picture for storage and display, so that it contains nothing but the picture.
 *
 * Its type is determined by its content only, and its size is limited. Locations and cameras (EXIF), comments, colour
 * profiles and anything after the end are dropped, so that a polyglot file loses its other form.
 */
export function cleanPicture(bytes: Uint8Array): Picture | PictureFault {
  const picture = bytes[0] === 0xff ? cleanJpeg(bytes) : cleanPng(bytes)
  if ('fault' in picture) return picture
  const { width, height } = picture
  if (Math.min(width, height) < SIDE_MIN) return { fault: 'too_small' }
  if (Math.max(width, height) > SIDE_MAX || width * height > PIXELS_MAX) return { fault: 'too_big' }
  return picture
}
