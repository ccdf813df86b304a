/** What the derived components of a request are read from; a part that is not known is undefined. */
export type DerivableRequest = {
  method: string | undefined
  /** Host in lower case, with its port unless it is the default of the scheme. */
  authority: string | undefined
  /** Absolute, as sent: nothing is resolved or decoded. */
  targetUri: string | undefined
}

/**
 * Returns the value of a derived component of a request; undefined for one that is unknown or cannot be told.
 *
 * The parts of the target are taken from `targetUri` verbatim, because normalising would change the path.
 *
 * Source: RFC 9421 §2.2.
 */
export function deriveComponent(
  name: string,
  { method, authority, targetUri }: DerivableRequest,
): string | undefined {
  if (name === '@method') return method
  if (name === '@authority') return authority
  const [, scheme, path = '', query = ''] =
    /^(https?):\/\/[^/?#]+([^?#]*)(\?[^#]*)?$/i.exec(targetUri ?? '') ?? []
  if (scheme === undefined) return undefined
  switch (name) {
    case '@target-uri':
      return targetUri
    case '@scheme':
      return scheme.toLowerCase()
    case '@path':
      return path || '/'
    case '@query':
      return query || '?'
    case '@request-target':
      return (path || '/') + query
    default:
      return undefined
  }
}

const NAMES = '@method @authority @target-uri @scheme @path @query @request-target'.split(' ')

/** Whether a name is that of a derived component whose value `deriveComponent` can tell. */
export function isDerivedComponent(name: string): boolean {
  return NAMES.includes(name)
}
