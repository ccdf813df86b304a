/** The chain that `npm start` brings along, and that the tests of the contracts and the figures of gas are made on. */
export const localNetwork = { type: 'edr-simulated', chainType: 'l1', hardfork: 'cancun' } as const

/**
 * The published key of the first account of every Hardhat development chain, worth nothing anywhere else. Written out,
 * because deriving it from its phrase takes longer than opening the database.
 */
export const LOCAL_CHAIN_KEY = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
