/** The parts of a request that its signature may cover, as the counterparty received them. */
export type SignedRequest = {
  signature: string
  signatureInput: string
  method: string | undefined
  targetUri: string | undefined
  /** The required `@authority`: host of the endpoint, with its port unless it is the default of the scheme. */
  authority: string
  /** Known header fields by lower-case name, including `signature-agent`. */
  fields: Readonly<Record<string, string | undefined>>
}
