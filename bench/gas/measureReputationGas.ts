import { keccak256, toHex } from 'viem'
import { identityRegistry } from '../../server/chain/artifacts/identityRegistry.ts'
import { reputationRegistry } from '../../server/chain/artifacts/reputationRegistry.ts'
import type { GasRow } from './gasRow.ts'
import type { GasMeter } from './openGasMeter.ts'

const uri = `ipfs://${'Qm'.padEnd(46, 'x')}`
const hash = keccak256(toHex('a file'))

/**
 * Measures the gas of every feedback operation: for an agent's first feedback, which costs most, and for a client that has
 * given some before.
 *
 * The reference figures were measured on the ERC-8004 reference contracts 2.0.0 behind their proxy, with URIs of 53 bytes
 * and unknown tags. They are too low to include the slot that each tag takes there, so they are compared with feedback
 * without tags or endpoint. Feedback with both, where two tags share one slot here, is a row without a reference.
 */
export async function measureReputationGas(meter: GasMeter): Promise<GasRow[]> {
  const [owner, client] = meter.accounts
  if (!owner || !client) throw new Error('too few accounts')
  const identities = await meter.deploy(identityRegistry)
  for (let agent = 1; agent <= 2; agent++) await meter.gasOf(identities, 'register', [])
  const registry = await meter.deploy(reputationRegistry, [identities.address])
  const give = (agentId: bigint, tag1: string, tag2: string, endpoint: string) =>
    meter.gasOf(registry, 'giveFeedback', [agentId, 87n, 2, tag1, tag2, endpoint, uri, hash], client)
  const plain = () => give(1n, '', '', '')
  const tagged = () => give(2n, 'quality', 'response time', 'https://agent.example/mcp')
  const row = (name: string, reference: number, ours: number): GasRow => {
    return { name, ours, reference, ratio: ours / reference, unit: 'gas' }
  }
  return [
    row('giveFeedback, first, without tags or endpoint', 169_905, await plain()),
    row('giveFeedback, subsequent, without tags or endpoint', 88_061, await plain()),
    { name: 'giveFeedback, first, with two tags and an endpoint', ours: await tagged(), unit: 'gas' },
    { name: 'giveFeedback, subsequent, with two tags and an endpoint', ours: await tagged(), unit: 'gas' },
    row('revokeFeedback', 36_244, await meter.gasOf(registry, 'revokeFeedback', [1n, 2n], client)),
    row(
      'appendResponse',
      124_483,
      await meter.gasOf(registry, 'appendResponse', [1n, client.account.address, 1n, uri, hash]),
    ),
  ]
}
