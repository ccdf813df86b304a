/** A request as the counterparty received it: what a signature over it may cover. */
export type SignedRequest = {
  signature: string
  signatureInput: string
  method: string | undefined
  targetUri: string | undefined
  /** Host of the endpoint and, unless it is the scheme's own, its port: what `@authority` has to be. */
  authority: string
  /** Header fields that are known, by their lower-case names; `signature-agent` is one. */
  fields: Readonly<Record<string, string | undefined>>
}
