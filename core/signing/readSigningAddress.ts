/** Key id of an Ethereum account: chain id and address. Source: ERC-8128. */
const ACCOUNT = /^erc8128:[0-9]{1,20}:(0x[0-9a-fA-F]{40})$/

/** Returns the address in the key id of an Ethereum account, in lower case; undefined for any other key id. */
export function readSigningAddress(keyid: string): string | undefined {
  return ACCOUNT.exec(keyid)?.[1]?.toLowerCase()
}
