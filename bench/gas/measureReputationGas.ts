import { keccak256, toHex } from 'viem'
import { deployReputation } from './deployReputation.ts'
import { compareGas, type GasRow } from './gasRow.ts'
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
  const [, client] = meter.accounts
  if (!client) throw new Error('too few accounts')
  const { registry, give } = await deployReputation(meter, 2)
  const plain = () => give(1n, '', '')
  const tagged = () =>
    give(2n, 'quality', 'response time', client.account.address, 'https://agent.example/mcp')
  return [
    compareGas('giveFeedback, first, without tags or endpoint', 169_905, await plain()),
    compareGas('giveFeedback, subsequent, without tags or endpoint', 88_061, await plain()),
    { name: 'giveFeedback, first, with two tags and an endpoint', ours: await tagged(), unit: 'gas' },
    { name: 'giveFeedback, subsequent, with two tags and an endpoint', ours: await tagged(), unit: 'gas' },
    compareGas(
      'revokeFeedback',
      36_244,
      await meter.gasOf(registry, 'revokeFeedback', [1n, 2n], client.account),
    ),
    compareGas(
      'appendResponse',
      124_483,
      await meter.gasOf(registry, 'appendResponse', [1n, client.account.address, 1n, uri, hash]),
    ),
  ]
}
