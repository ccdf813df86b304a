import { type Item, isInnerList, parseDictionary, parseItem, serializeItem, Token } from 'structured-headers'

/** Where the key of a signature is published, according to the request. */
export type SignatureAgent = {
  /** Origin of the key directory. */
  origin: string
  /** The member as covered by `"signature-agent";key="…"`; undefined for the bare string. */
  member: string | undefined
}

/**
 * Reads the member of `Signature-Agent` that belongs to a signature.
 *
 * The header is a dictionary keyed by the label of the signature. The bare string of earlier drafts, which is still in use,
 * belongs to any signature that covers it. Only origins are accepted (type `directory`, the default), because other types
 * name a path that the operator of the host may not control. Undefined when there is no such member.
 *
 * Source: draft-ietf-webbotauth-httpsig-protocol "Signature-Agent", "Key Distribution and Discovery".
 */
export function readSignatureAgent(header: string, label: string): SignatureAgent | undefined {
  try {
    const isBare = header.trimStart().startsWith('"')
    const item = isBare ? parseItem(header) : parseDictionary(header).get(label)
    if (item === undefined || isInnerList(item) || !isDirectory(item)) return undefined
    const origin = parseOrigin(item[0])
    return origin === undefined ? undefined : { origin, member: isBare ? undefined : serializeItem(item) }
  } catch {
    return undefined
  }
}

function isDirectory([, parameters]: Item): boolean {
  const type = parameters.get('type')
  return type === undefined || (type instanceof Token && type.toString() === 'directory')
}

function parseOrigin(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  const url = URL.parse(value)
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return undefined
  return value === url.origin || value === `${url.origin}/` ? url.origin : undefined
}
