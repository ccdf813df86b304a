/**
 * Whether a text has the form of the identifier of an agent; it says nothing about whether there is one.
 *
 * Source: api.md "Identifiers"; Spec: Agent.
 */
export function isAgentIdentifier(text: string): boolean {
  return /^SVC-[0-9A-Za-z]{22}$/.test(text)
}
