/**
 * Whether a text has the form of an API key; it says nothing about whether the key exists.
 *
 * Source: api.md "Identifiers".
 */
export function isApiKey(text: string): boolean {
  return /^svc_live_[0-9A-Za-z]{32}$/.test(text)
}
