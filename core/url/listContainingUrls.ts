import { switchScheme } from './url.ts'

/** A URL with more segments has its first ones and the whole of it listed. */
const SEGMENTS_MAX = 64

/**
 * Lists the normalised URLs that contain a normalised URL, over both schemes: its origin, every path above it, and itself.
 */
export function listContainingUrls(url: string): string[] {
  const [scheme = '', , host = '', ...segments] = url.split('/')
  const urls = [`${scheme}//${host}`]
  for (const segment of segments.slice(0, SEGMENTS_MAX)) urls.push(`${urls.at(-1)}/${segment}`)
  const all = urls.at(-1) === url ? urls : [...urls, url]
  return all.flatMap((containing) => [containing, switchScheme(containing)])
}
