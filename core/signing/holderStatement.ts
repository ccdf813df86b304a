/** What a holder signs: whom it is for, and the challenge that was handed out for it. */
export type HolderStatement = {
  /** Address of the agent's credentials: a proof is good for this agent at this service alone. */
  audience: string
  /** The challenge. */
  nonce: string
}

/** The text that the holder of an Ethereum address signs (EIP-191); other keys sign a JWT with `aud` and `nonce`. */
export function writeHolderStatement({ audience, nonce }: HolderStatement): string {
  return `SVC-CREDENTIAL-V1\n${audience}\n${nonce}`
}
