/**
 * Whether a text has the form of the identifier of an organisation; it says nothing about whether there is one.
 *
 * Source: api.md "Identifiers"; Spec: Endpoint (counterparty).
 */
export function isOrganizationIdentifier(text: string): boolean {
  return /^SVCO-[0-9A-Za-z]{22}$/.test(text)
}
