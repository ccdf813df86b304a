/**
 * The URL that a text is, or null.
 *
 * As `URL.parse`, which runtimes that the client library promises to run in do not have yet. Source: WHATWG URL.
 */
export function parseUrl(text: string): URL | null {
  try {
    return new URL(text)
  } catch {
    return null
  }
}
