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

const LENGTH_MAX = 2_048

/** Why a text is not a URL that the service can know an endpoint by. */
type Refusal = 'too_long' | 'malformed' | 'scheme_not_http' | 'userinfo'

const EXPECTED: Readonly<Record<Refusal, string>> = {
  too_long: `expected a URL of at most ${LENGTH_MAX} characters`,
  malformed: 'expected an http or https URL',
  scheme_not_http: 'expected an http or https URL, got another scheme',
  userinfo: 'expected a URL without a user name or password',
}

/** What a caller is told who sent a URL that was refused. */
export function describeExpectedUrl(reason: Refusal): string {
  return EXPECTED[reason]
}

type Normalised =
  | { readonly ok: true; readonly url: string; readonly host: string }
  | { readonly ok: false; readonly reason: Refusal }

/**
 * The one spelling of an endpoint's URL, so that the same address is found, and claimed, only once.
 *
 * `url` has a lower-case host (international names in punycode), no default port, no query, no fragment, no
 * slash or root dot at the end; `host` is its host without the port, IPv6 in brackets. Dot segments are resolved
 * and letters that need no percent-encoding are decoded. The path stays case-sensitive. User names and passwords
 * are refused rather than dropped: they are secrets in the wrong place, or a host in disguise. White space,
 * control characters and backslashes, which URL parsers forgive, are refused as well. Normalising twice changes
 * nothing.
 *
 * Source: verification.md "Order" 4; WHATWG URL; RFC 3986 §6.2.2.
 */
export function normaliseUrl(text: string): Normalised {
  if (text.length > LENGTH_MAX) return refused('too_long')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  if (/[\u0000-\u0020\u007f\\]/.test(text)) return refused('malformed')
  if (!/^https?:\/\/[^/]/i.test(text))
    return refused(/^https?:/i.test(text) ? 'malformed' : schemeFault(text))
  const parsed = URL.parse(text)
  if (parsed === null) return refused('malformed')
  if (parsed.username !== '' || parsed.password !== '') return refused('userinfo')

  const host = parsed.hostname.replace(/\.$/, '')
  if (host === '' || host.endsWith('.')) return refused('malformed')
  const port = parsed.port === '' ? '' : `:${parsed.port}`
  const url = `${parsed.protocol}//${host}${port}${decodeUnreserved(parsed.pathname).replace(/\/+$/, '')}`
  return url.length > LENGTH_MAX ? refused('too_long') : { ok: true, url, host }
}

function refused(reason: Refusal): Normalised {
  return { ok: false, reason }
}

function schemeFault(text: string): Refusal {
  return /^[a-z][a-z0-9+.-]*:/i.test(text) ? 'scheme_not_http' : 'malformed'
}

/** Letters, digits and `-._~` mean the same encoded or not; the digits of other encodings become upper case. */
function decodeUnreserved(path: string): string {
  if (!path.includes('%')) return path
  return path.replace(/%[0-9a-f]{2}/gi, (encoded) => {
    const character = String.fromCharCode(Number.parseInt(encoded.slice(1), 16))
    return /[0-9A-Za-z._~-]/.test(character) ? character : encoded.toUpperCase()
  })
}
