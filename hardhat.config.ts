import { fileURLToPath } from 'node:url'
import hardhatNetworkHelpers from '@nomicfoundation/hardhat-network-helpers'
import hardhatViem from '@nomicfoundation/hardhat-viem'
import hardhatViemAssertions from '@nomicfoundation/hardhat-viem-assertions'
import { defineConfig } from 'hardhat/config'
import { localNetwork } from './server/chain/localNetwork.ts'

// For a change of the contracts, `FUZZ=long` makes 1.3 million random calls instead of 17,000; `FUZZ_SEED` varies them.
const isLong = process.env.FUZZ === 'long'
const seed = process.env.FUZZ_SEED
/** Calls per run of an invariant. */
export const INVARIANT_DEPTH = 64

export default defineConfig({
  plugins: [hardhatViem, hardhatNetworkHelpers, hardhatViemAssertions],
  solidity: {
    version: '0.8.28',
    // From the npm package, so that nothing is downloaded.
    path: fileURLToPath(import.meta.resolve('solc/soljson.js')),
    settings: {
      evmVersion: 'cancun',
      optimizer: { enabled: true, runs: 10_000 },
      // Without the metadata hash, the committed artifacts change only with the code, not with its comments.
      metadata: { bytecodeHash: 'none' },
    },
  },
  paths: { tests: { solidity: 'test/solidity' } },
  test: {
    solidity: {
      fuzz: { runs: isLong ? 65_536 : 256, ...(seed === undefined ? {} : { seed }) },
      // The tests' actors never make a call that reverts, so a revert is a mistake of the test.
      invariant: { runs: isLong ? 1_100 : 16, depth: INVARIANT_DEPTH, failOnRevert: true },
    },
  },
  networks: { local: localNetwork },
})
