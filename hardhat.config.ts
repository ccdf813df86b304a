import hardhatNetworkHelpers from '@nomicfoundation/hardhat-network-helpers'
import hardhatViem from '@nomicfoundation/hardhat-viem'
import hardhatViemAssertions from '@nomicfoundation/hardhat-viem-assertions'
import { defineConfig } from 'hardhat/config'

export default defineConfig({
  plugins: [hardhatViem, hardhatNetworkHelpers, hardhatViemAssertions],
  solidity: {
    version: '0.8.28',
    path: 'node_modules/solc/soljson.js',
    settings: { evmVersion: 'cancun', optimizer: { enabled: true, runs: 10_000 } },
  },
  paths: { tests: 'test/contracts' },
  networks: {
    local: { type: 'edr-simulated', chainType: 'l1', hardfork: 'cancun' },
  },
})
