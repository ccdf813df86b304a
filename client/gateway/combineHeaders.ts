/** Those of Node by lower-case name, or a `Headers`. */
type NodeHeaders = Record<string, string | string[] | undefined> | Headers

/**
 * Returns the headers of a Node request, each with the values of all lines in which it was sent.
 *
 * Of a header that should be sent once, such as `Content-Type`, Node shows the first value. A signature covers all of them,
 * and what stands behind the gateway may read another one.
 *
 * @param rawHeaders Names and values in turn, as received.
 * Source: RFC 9421 §2.1.
 */
export function combineHeaders<Given extends NodeHeaders>(
  headers: Given,
  rawHeaders: readonly string[] = [],
): Given | Exclude<NodeHeaders, Headers> {
  const repeated = findRepeated(rawHeaders)
  // A `Headers` has joined them itself.
  if (repeated.size === 0 || typeof headers.get === 'function') return headers
  const all = { ...(headers as Exclude<NodeHeaders, Headers>) }
  for (const [name, values] of repeated) {
    // Node joins the others itself; what the application has changed stays as it is.
    if (all[name] === values[0]) all[name] = values.join(', ')
  }
  return all
}

const NONE: ReadonlyMap<string, string[]> = new Map()

function findRepeated(rawHeaders: readonly string[]): ReadonlyMap<string, string[]> {
  const names = new Set<string>()
  for (let at = 0; at < rawHeaders.length; at += 2) names.add(rawHeaders[at]?.toLowerCase() ?? '')
  if (names.size * 2 >= rawHeaders.length) return NONE
  const values = new Map<string, string[]>()
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]?.toLowerCase() ?? ''
    values.set(name, [...(values.get(name) ?? []), rawHeaders[at + 1] ?? ''])
  }
  return new Map([...values].filter(([, all]) => all.length > 1))
}
