/** Whether `If-None-Match` names this validator, so that the caller has the current version. Source: RFC 9110 §13.1.2. */
export function isUnchanged(ifNoneMatch: string | undefined, etag: string): boolean {
  const opaque = (tag: string) => tag.trim().replace(/^W\//, '')
  return ifNoneMatch?.split(',').some((tag) => opaque(tag) === opaque(etag)) ?? false
}
