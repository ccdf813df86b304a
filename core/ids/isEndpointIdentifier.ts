/**
 * Whether a text has the form of the identifier of an endpoint; it says nothing about whether there is one.
 *
 * Source: api.md "Identifiers"; Spec: Endpoint (counterparty).
 */
export function isEndpointIdentifier(text: string): boolean {
  return /^SVCE-[0-9A-Za-z]{22}$/.test(text)
}
