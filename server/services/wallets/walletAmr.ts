/** How a session that a wallet opened says it was: a key was proven, and nothing of who held it. Source: RFC 8176 §2. */
export const WALLET_AMR = ['pop']
