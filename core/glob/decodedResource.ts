const ROUNDS_MAX = 4

/**
 * A resource with its percent-encoded bytes written out, or `undefined` where that is not possible safely.
 *
 * Decoding is repeated, because a server behind a proxy may decode twice; a text that is still encoded after four rounds, or
 * whose bytes are not UTF-8, is a disguise and not a name. RFC 3986 §2.1, RFC 3629 §3.
 */
export function decodedResource(resource: string): string | undefined {
  let text = resource
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    if (!/%[0-9A-Fa-f]{2}/.test(text)) return text
    try {
      text = text.replace(/(?:%[0-9A-Fa-f]{2})+/g, decodeURIComponent)
    } catch {
      return undefined
    }
  }
  return /%[0-9A-Fa-f]{2}/.test(text) ? undefined : text
}
