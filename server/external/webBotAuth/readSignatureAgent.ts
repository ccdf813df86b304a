import { type Item, isInnerList, parseDictionary, parseItem, serializeItem, Token } from 'structured-headers'

/** Where a signature says its key is published. */
export type SignatureAgent = {
  /** Origin of the key directory. */
  origin: string
  /** The member as `"signature-agent";key="…"` covers it; undefined for the bare string. */
  member: string | undefined
}

/**
 * Reads the member of `Signature-Agent` that belongs to a signature.
 *
 * It is a dictionary, whose members are keyed by the label of the signature; the bare string of earlier drafts, which is
 * still sent, stands for whatever signature covers it. Only origins are taken (type `directory`, the default): the other
 * types name a path that its host need not stand behind. Undefined when there is no such member.
 *
 * Source: draft-ietf-webbotauth-httpsig-protocol "Signature-Agent", "Key Distribution and Discovery".
 */
export function readSignatureAgent(header: string, label: string): SignatureAgent | undefined {
  try {
    const isBare = header.trimStart().startsWith('"')
    const item = isBare ? parseItem(header) : parseDictionary(header).get(label)
    if (item === undefined || isInnerList(item) || !isDirectory(item)) return undefined
    const origin = originOf(item[0])
    return origin === undefined ? undefined : { origin, member: isBare ? undefined : serializeItem(item) }
  } catch {
    return undefined
  }
}

function isDirectory([, parameters]: Item): boolean {
  const type = parameters.get('type')
  return type === undefined || (type instanceof Token && type.toString() === 'directory')
}

function originOf(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  const url = URL.parse(value)
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return undefined
  return value === url.origin || value === `${url.origin}/` ? url.origin : undefined
}
