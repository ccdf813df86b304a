import { type Item, isInnerList, parseDictionary, parseItem, Token } from 'structured-headers'

/** Where the key of a signature is published, according to the request. */
export type SignatureAgent = {
  /** Identifies the signer: the origin of a directory at the well-known URI, or the URL of another JWK Set. */
  signer: string
  /** The JWK Set with the keys of the signer. */
  directoryUrl: string
}

/** Reserved for the operator of the host, so that a directory there speaks for the origin. Source: RFC 8615. */
const WELL_KNOWN = '/.well-known/http-message-signatures-directory'

/**
 * Reads the member of `Signature-Agent` that belongs to a signature.
 *
 * The header is a dictionary keyed by the label of the signature. The bare string of earlier drafts, which is still in use,
 * belongs to any signature that covers it. Undefined when there is no such member.
 *
 * The value is the URL of a JWK Set. As in earlier drafts, an origin stands for the directory at its well-known URI, and
 * the type `jwks_uri` for a URL. Client ID metadata documents (`cimd`) are not read: they are not in the current draft and
 * would take two fetches. Nothing reserves another path for the operator of the host, so a signer there is its whole URL.
 *
 * Source: draft-ietf-webbotauth-httpsig-protocol-01 "Signature-Agent", "Key Distribution and Discovery"; -00 for the types.
 */
export function readSignatureAgent(header: string, label: string): SignatureAgent | undefined {
  try {
    const isBare = header.trimStart().startsWith('"')
    const item = isBare ? parseItem(header) : parseDictionary(header).get(label)
    return item === undefined || isInnerList(item) ? undefined : locateKeys(item)
  } catch {
    return undefined
  }
}

function locateKeys([value, parameters]: Item): SignatureAgent | undefined {
  const url = typeof value === 'string' ? URL.parse(value) : null
  if (url === null || !['https:', 'http:'].includes(url.protocol)) return undefined
  const { origin, pathname } = url
  // A query would give one JWK Set any number of names, each fetched on its own.
  if (url.href !== origin + pathname) return undefined
  const isOrigin = pathname === '/'
  const type = typeOf(parameters)
  if (type === undefined ? isOrigin || pathname === WELL_KNOWN : type === 'directory' && isOrigin) {
    return { signer: origin, directoryUrl: origin + WELL_KNOWN }
  }
  return type === undefined || type === 'jwks_uri' ? { signer: url.href, directoryUrl: url.href } : undefined
}

/** The type of a member; undefined if it states none, as in the current draft. */
function typeOf(parameters: Item[1]): string | undefined {
  const type = parameters.get('type')
  return type === undefined || type instanceof Token ? type?.toString() : 'malformed'
}
