import { fileURLToPath } from 'node:url'
import hardhatNetworkHelpers from '@nomicfoundation/hardhat-network-helpers'
import hardhatViem from '@nomicfoundation/hardhat-viem'
import hardhatViemAssertions from '@nomicfoundation/hardhat-viem-assertions'
import { defineConfig } from 'hardhat/config'
import { localNetwork } from './server/chain/localNetwork.ts'

/** `FUZZ=long`: some 1.3 million calls instead of 17,000, for a change of the contracts. `FUZZ_SEED` makes it another run. */
const isLong = process.env.FUZZ === 'long'
const seed = process.env.FUZZ_SEED
/** Calls of one run of an invariant. */
export const INVARIANT_DEPTH = 64

export default defineConfig({
  plugins: [hardhatViem, hardhatNetworkHelpers, hardhatViemAssertions],
  solidity: {
    version: '0.8.28',
    // From the npm package: nothing is downloaded.
    path: fileURLToPath(import.meta.resolve('solc/soljson.js')),
    settings: {
      evmVersion: 'cancun',
      optimizer: { enabled: true, runs: 10_000 },
      // The committed artifacts change with the code, not with its comments.
      metadata: { bytecodeHash: 'none' },
    },
  },
  paths: { tests: { solidity: 'test/solidity' } },
  test: {
    solidity: {
      fuzz: { runs: isLong ? 65_536 : 256, ...(seed === undefined ? {} : { seed }) },
      // A revert of the test's own actor is a mistake of the test.
      invariant: { runs: isLong ? 1_100 : 16, depth: INVARIANT_DEPTH, failOnRevert: true },
    },
  },
  networks: { local: localNetwork },
})
