import { deriveComponent } from '@svc/core/signing/deriveComponent.ts'
import { isInnerList, parseDictionary, serializeInnerList, serializeItem } from 'structured-headers'

/**
 * Reads the member of a header that a signature covers by its key, strictly serialised; false if the header is no dictionary
 * or has no such member.
 *
 * Source: RFC 9421 §2.1.2.
 */
export function readFieldMember(field: string, key: string): string | false {
  try {
    const member = parseDictionary(field).get(key)
    if (member === undefined) return false
    return isInnerList(member) ? serializeInnerList(member) : serializeItem(member)
  } catch {
    return false
  }
}

/**
 * Reads the parameter of the query that a signature covers by its encoded name, encoded again; undefined if the target is
 * not known, false if the parameter is missing or occurs more than once.
 *
 * @param name The parameter `name` of the component.
 * Source: RFC 9421 §2.2.8.
 */
export function readQueryParam(targetUri: string | undefined, name: unknown): string | undefined | false {
  const query = deriveComponent('@query', { targetUri, method: undefined, authority: undefined })
  if (query === undefined) return undefined
  const values = [...new URLSearchParams(query)].flatMap(([key, value]) =>
    encode(key) === name ? [value] : [],
  )
  const [only] = values
  return only === undefined || values.length > 1 ? false : encode(only)
}

/** The percent-encode set of application/x-www-form-urlencoded, with spaces as %20. Source: URL Standard. */
function encode(text: string): string {
  return encodeURIComponent(text).replace(/[!'()~]/g, (character) => {
    return `%${character.charCodeAt(0).toString(16).toUpperCase()}`
  })
}
