/**
 * Parses a URL; null when the text is not one.
 *
 * Replaces `URL.parse`, which some runtimes supported by the client library lack. Source: WHATWG URL.
 */
export function parseUrl(text: string): URL | null {
  try {
    return new URL(text)
  } catch {
    return null
  }
}

const LENGTH_MAX = 2_048

/** Why a text cannot be the URL of an endpoint. */
type Refusal = 'too_long' | 'malformed' | 'scheme_not_http' | 'userinfo'

/** The message for a caller whose URL was refused. */
export function describeExpectedUrl(reason: Refusal): string {
  const expected: Readonly<Record<Refusal, string>> = {
    too_long: `expected a URL of at most ${LENGTH_MAX} characters`,
    malformed: 'expected an http or https URL',
    scheme_not_http: 'expected an http or https URL, got another scheme',
    userinfo: 'expected a URL without a user name or password',
  }
  return expected[reason]
}

type Normalised =
  | { readonly ok: true; readonly url: string; readonly host: string }
  | { readonly ok: false; readonly reason: Refusal }

/**
 * Normalises the URL of an endpoint to a single spelling, so that the same address can be found, and claimed, only once.
 *
 * `url` has a lower-case host (international names in punycode) and no default port, query, fragment, trailing slash or
 * root dot. `host` is its host without the port, with IPv6 in brackets. Dot segments are resolved, and characters that need
 * no percent-encoding are decoded. The path stays case-sensitive. A user name or password is refused and not dropped: it is
 * a secret in the wrong place or a host in disguise. White space, control characters and backslashes, which URL parsers
 * tolerate, are refused too. Normalising is idempotent.
 *
 * Source: WHATWG URL; RFC 3986 §6.2.2.
 */
export function normaliseUrl(text: string): Normalised {
  if (text.length > LENGTH_MAX) return refuse('too_long')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: this finds control characters
  if (/[\u0000-\u0020\u007f\\]/.test(text)) return refuse('malformed')
  if (!/^https?:\/\/[^/]/i.test(text))
    return refuse(/^https?:/i.test(text) ? 'malformed' : explainScheme(text))
  const parsed = URL.parse(text)
  if (parsed === null) return refuse('malformed')
  if (parsed.username !== '' || parsed.password !== '') return refuse('userinfo')

  const host = parsed.hostname.replace(/\.$/, '')
  if (host === '' || host.endsWith('.')) return refuse('malformed')
  const port = parsed.port === '' ? '' : `:${parsed.port}`
  const url = `${parsed.protocol}//${host}${port}${decodeUnreserved(parsed.pathname).replace(/\/+$/, '')}`
  return url.length > LENGTH_MAX ? refuse('too_long') : { ok: true, url, host }
}

/** The same URL over HTTPS instead of HTTP, or the reverse. */
export function switchScheme(url: string): string {
  return url.startsWith('https:') ? `http:${url.slice(6)}` : `https:${url.slice(5)}`
}

function refuse(reason: Refusal): Normalised {
  return { ok: false, reason }
}

function explainScheme(text: string): Refusal {
  return /^[a-z][a-z0-9+.-]*:/i.test(text) ? 'scheme_not_http' : 'malformed'
}

/** Decodes letters, digits and `-._~`, which mean the same encoded or not; other encodings get upper-case digits. */
function decodeUnreserved(path: string): string {
  if (!path.includes('%')) return path
  return path.replace(/%[0-9a-f]{2}/gi, (encoded) => {
    const character = String.fromCharCode(Number.parseInt(encoded.slice(1), 16))
    return /[0-9A-Za-z._~-]/.test(character) ? character : encoded.toUpperCase()
  })
}
