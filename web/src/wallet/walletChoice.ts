/** What a wallet in the browser answers to. Source: EIP-1193. */
export type WalletProvider = { request(call: { method: string; params?: unknown[] }): Promise<unknown> }

/** One wallet of this browser. Source: EIP-6963. */
export type WalletChoice = {
  id: string
  name: string
  /** Image as a data URL; null when it gave none. */
  icon: string | null
  provider: WalletProvider
}
