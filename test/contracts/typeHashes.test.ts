import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect } from 'chai'
import { keccak256, toFunctionSelector, toHex } from 'viem'
import { auditLog } from '../../server/chain/artifacts/auditLog.ts'
import { identityRegistry } from '../../server/chain/artifacts/identityRegistry.ts'
import { reputationRegistry } from '../../server/chain/artifacts/reputationRegistry.ts'
import { validationRegistry } from '../../server/chain/artifacts/validationRegistry.ts'

const FOLDER = resolve(import.meta.dirname, '../../contracts')

/** Each hash constant of the contracts with the text it is the Keccak-256 of. Source: EIP-712. */
const PRE_IMAGES = {
  _AGENT_WALLET_SET_TYPEHASH:
    'AgentWalletSet(uint256 agentId,address newWallet,address owner,uint256 deadline)',
  _METADATA_ENTRY_TYPEHASH: 'MetadataEntry(string metadataKey,bytes metadataValue)',
  _REGISTER_FOR_TYPEHASH:
    'RegisterFor(address owner,string agentURI,MetadataEntry[] metadata,uint256 nonce,uint256 deadline)' +
    'MetadataEntry(string metadataKey,bytes metadataValue)',
  _WALLET_KEY_HASH: 'agentWallet',
} as const

const DOMAIN = 'EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)'

const hashOf = (text: string) => keccak256(toHex(text)).slice(2)

describe('hashes in the contracts', () => {
  it('include every hash constant named in the sources', () => {
    const named = globSync('**/*.sol', { cwd: FOLDER }).flatMap((path) => {
      const source = readFileSync(resolve(FOLDER, path), 'utf8')
      return [...source.matchAll(/bytes32 (?:\w+ )*constant (\w+)\s*=/g)].map(([, name]) => name)
    })
    expect(named.sort()).to.deep.equal(Object.keys(PRE_IMAGES).sort())
  })

  for (const name of Object.keys(PRE_IMAGES) as (keyof typeof PRE_IMAGES)[]) {
    it(`${name} equals the hash of its pre-image`, () => {
      expect(identityRegistry.bytecode).to.include(hashOf(PRE_IMAGES[name]))
    })
  }

  it('include the EIP-712 domain type', () => {
    expect(identityRegistry.bytecode).to.include(hashOf(DOMAIN))
  })

  it('include no storage slot, as no contract is behind a proxy', () => {
    const implementationSlot = (BigInt(keccak256(toHex('eip1967.proxy.implementation'))) - 1n).toString(16)
    const upgrade = toFunctionSelector('function upgradeToAndCall(address,bytes)').slice(2)
    for (const { bytecode } of [auditLog, identityRegistry, reputationRegistry, validationRegistry]) {
      expect(bytecode).not.to.include(implementationSlot)
      expect(bytecode).not.to.include(upgrade)
    }
  })
})
