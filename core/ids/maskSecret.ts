/**
 * A secret as it may be shown after the first time: its prefix, four asterisks and its last four characters, as
 * in `whsec_****abc=` or `svc_live_****wxyz`.
 *
 * What stands before the last underscore is the prefix; a text without one shows no prefix, and a body of fewer
 * than 16 characters shows nothing of itself.
 *
 * Source: api.md "Identifiers".
 */
export function maskSecret(secret: string): string {
  const bodyStart = secret.lastIndexOf('_') + 1
  const body = secret.slice(bodyStart)
  return `${secret.slice(0, bodyStart)}****${body.length < 16 ? '' : body.slice(-4)}`
}
