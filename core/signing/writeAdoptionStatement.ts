/** What the owner of a token states to have its agent adopted. */
export type AdoptionStatement = {
  /** Base URL of the service. */
  service: string
  /** `eip155:<chain id>:<registry>/<agentId>`, in lower case. */
  token: string
  /** `SVCD-` or `SVCO-` of the account that adopts the agent. */
  ownerIdentifier: string
  /** Unix seconds. */
  expiresAt: number
}

/** Writes the text that the owner's account signs (EIP-191): valid for one token, one account and one service. */
export function writeAdoptionStatement({ service, token, ownerIdentifier, expiresAt }: AdoptionStatement) {
  return ['SVC-ADOPT-AGENT-V1', service, token, ownerIdentifier, `${expiresAt}`].join('\n')
}
