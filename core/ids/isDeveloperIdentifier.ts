/**
 * Whether a text has the form of the identifier of an individual developer; it says nothing about whether there is one.
 *
 * Source: api.md "Identifiers"; Spec: Allowlist entry.
 */
export function isDeveloperIdentifier(text: string): boolean {
  return /^SVCD-[0-9A-Za-z]{22}$/.test(text)
}
