import { keccak256, toHex } from 'viem'
import { identityRegistry } from '../../server/chain/artifacts/identityRegistry.ts'
import { compileContract } from '../../test/contracts/compileContract.ts'
import type { GasRow } from './gasRow.ts'
import type { GasMeter } from './openGasMeter.ts'

const uri = `ipfs://${'Qm'.padEnd(46, 'x')}`
const hash = keccak256(toHex('a file'))

/**
 * Gas of every operation on feedback: of an agent's first, which is the dearest, and of a client that gave some before.
 *
 * The reference figures were measured on the ERC-8004 reference contracts 2.0.0 behind their proxy, with URIs of 53
 * bytes. They leave no room for the slot that each tag takes there, so the rows beside them are without tags; here two
 * tags take one slot.
 */
export async function measureReputationGas(meter: GasMeter): Promise<GasRow[]> {
  const [owner, client] = meter.accounts
  if (!owner || !client) throw new Error('too few accounts')
  const identities = await meter.deploy(identityRegistry)
  await meter.gasOf(identities, 'register', [])
  const registry = await meter.deploy(await compileContract('ReputationRegistry'), [identities.address])
  const feedback = [1n, 87n, 2, '', '', '', uri, hash]
  const tagged = [1n, 87n, 2, 'quality', 'response time', 'https://agent.example/mcp', uri, hash]
  const row = (name: string, reference: number, ours: number): GasRow => {
    return { name, ours, reference, ratio: ours / reference, unit: 'gas' }
  }
  return [
    row('giveFeedback, first', 169_905, await meter.gasOf(registry, 'giveFeedback', feedback, client)),
    row('giveFeedback, next', 88_061, await meter.gasOf(registry, 'giveFeedback', feedback, client)),
    {
      name: 'giveFeedback, next, with two tags and an endpoint',
      ours: await meter.gasOf(registry, 'giveFeedback', tagged, client),
      unit: 'gas',
    },
    row('revokeFeedback', 36_244, await meter.gasOf(registry, 'revokeFeedback', [1n, 2n], client)),
    row(
      'appendResponse',
      124_483,
      await meter.gasOf(registry, 'appendResponse', [1n, client.account.address, 1n, uri, hash]),
    ),
  ]
}
