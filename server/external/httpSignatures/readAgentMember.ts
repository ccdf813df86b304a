import { type InnerList, isInnerList, parseDictionary, serializeItem } from 'structured-headers'

/**
 * Reads the member of `Signature-Agent` that a signature covers individually, as `"signature-agent";key="…"`; undefined if
 * it covers none, or several, or if the header has no such member.
 *
 * Source: RFC 9421 §2.1.2; draft-ietf-webbotauth-httpsig-protocol "Signature-Agent".
 */
export function readAgentMember(
  [components]: InnerList,
  header: string | undefined,
): { key: string; value: string } | undefined {
  const [key, ...more] = components.flatMap(([name, parameters]) =>
    name === 'signature-agent' && parameters.has('key') ? [parameters.get('key')] : [],
  )
  if (typeof key !== 'string' || more.length > 0) return undefined
  try {
    const member = parseDictionary(header ?? '').get(key)
    return member === undefined || isInnerList(member) ? undefined : { key, value: serializeItem(member) }
  } catch {
    return undefined
  }
}
