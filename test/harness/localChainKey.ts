/** Published key of the first account of every Hardhat development chain, for a service that is configured with it. */
export const LOCAL_CHAIN_KEY = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
