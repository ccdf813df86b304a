/** The chain that `npm start` runs, and on which the contract tests and gas measurements run. */
export const localNetwork = { type: 'edr-simulated', chainType: 'l1', hardfork: 'cancun' } as const

/**
 * The published key of the first account of every Hardhat development chain, worthless elsewhere. Hard-coded, because
 * deriving it from the mnemonic takes longer than opening the database.
 */
export const LOCAL_CHAIN_KEY = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
