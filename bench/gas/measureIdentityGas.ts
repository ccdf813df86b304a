import { toHex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { identityRegistry } from '../../server/chain/artifacts/identityRegistry.ts'
import { compareGas, type GasRow } from './gasRow.ts'
import type { Deployed, GasMeter } from './openGasMeter.ts'

const uri = `ipfs://${'Qm'.padEnd(46, 'x')}`
const otherUri = `ipfs://${'Qm'.padEnd(46, 'y')}`
const entries = [{ metadataKey: 'svcId', metadataValue: toHex('SVC-0123456789abcdefghijkl') }]

/**
 * Measures the gas of every identity operation in a registry that is in use: no counter changes from zero, and holders
 * still have agents after a transfer.
 *
 * The reference figures were measured on the ERC-8004 reference contracts 2.0.0 behind their proxy, in the same state
 * and with URIs of 53 bytes. There, a relayer must register and transfer, which takes at least 212,000.
 */
export async function measureIdentityGas(meter: GasMeter): Promise<GasRow[]> {
  const [holder, newcomer, receiver] = meter.accounts
  if (!holder || !newcomer || !receiver) throw new Error('too few accounts')
  const registry = await meter.deploy(identityRegistry)
  const gasOf = (functionName: string, ...args: unknown[]) => meter.gasOf(registry, functionName, args)
  await gasOf('register', uri)
  await gasOf('register')

  const rows: GasRow[] = []
  const add = (name: string, reference: number, ours: number) => {
    rows.push(compareGas(name, reference, ours))
  }
  add('register(), owner has agents', 89_783, await gasOf('register'))
  add('register(), new owner', 106_883, await meter.gasOf(registry, 'register', [], newcomer.account))
  add('register(uri)', 160_752, await gasOf('register', uri))
  add('register(uri, 1 entry)', 190_919, await gasOf('register', uri, entries))
  add('setAgentURI', 44_309, await gasOf('setAgentURI', 1n, otherUri))
  add(
    'setMetadata, new value of 32 bytes',
    79_988,
    await gasOf('setMetadata', 1n, 'hash', `0x${'5a'.repeat(32)}`),
  )
  add('setAgentWallet', 50_392, await gasOf('setAgentWallet', ...(await signWalletConsent(meter, registry))))
  add(
    'transfer to a new holder',
    66_268,
    await gasOf('transferFrom', holder.account.address, receiver.account.address, 1n),
  )
  add(
    'registerFor(uri), new owner; reference: register(uri), transfer',
    212_000,
    await gasOf('registerFor', ...(await signRegistration(meter, registry, []))),
  )
  add(
    'registerFor(uri, 1 entry), new owner; reference: register(uri, 1 entry), transfer',
    190_919 + 66_268,
    await gasOf('registerFor', ...(await signRegistration(meter, registry, entries))),
  )
  return rows
}

const domainOf = (meter: GasMeter, registry: Deployed) => ({
  name: 'ERC8004IdentityRegistry',
  version: '1',
  chainId: meter.chainId,
  verifyingContract: registry.address,
})

async function signWalletConsent(meter: GasMeter, registry: Deployed) {
  const wallet = privateKeyToAccount(generatePrivateKey())
  const deadline = (await meter.now()) + 200n
  const signature = await wallet.signTypedData({
    domain: domainOf(meter, registry),
    types: {
      AgentWalletSet: [
        { name: 'agentId', type: 'uint256' },
        { name: 'newWallet', type: 'address' },
        { name: 'owner', type: 'address' },
        { name: 'deadline', type: 'uint256' },
      ],
    },
    primaryType: 'AgentWalletSet',
    message: {
      agentId: 1n,
      newWallet: wallet.address,
      owner: meter.accounts[0]?.account.address ?? wallet.address,
      deadline,
    },
  })
  return [1n, wallet.address, deadline, signature]
}

async function signRegistration(meter: GasMeter, registry: Deployed, metadata: typeof entries) {
  const owner = privateKeyToAccount(generatePrivateKey())
  const deadline = (await meter.now()) + 3600n
  const signature = await owner.signTypedData({
    domain: domainOf(meter, registry),
    types: {
      RegisterFor: [
        { name: 'owner', type: 'address' },
        { name: 'agentURI', type: 'string' },
        { name: 'metadata', type: 'MetadataEntry[]' },
        { name: 'nonce', type: 'uint256' },
        { name: 'deadline', type: 'uint256' },
      ],
      MetadataEntry: [
        { name: 'metadataKey', type: 'string' },
        { name: 'metadataValue', type: 'bytes' },
      ],
    },
    primaryType: 'RegisterFor',
    message: { owner: owner.address, agentURI: uri, metadata, nonce: 0n, deadline },
  })
  return [owner.address, uri, metadata, deadline, signature]
}
