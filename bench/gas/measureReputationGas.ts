import { type Address, keccak256, toHex } from 'viem'
import { identityRegistry } from '../../server/chain/artifacts/identityRegistry.ts'
import { reputationRegistry } from '../../server/chain/artifacts/reputationRegistry.ts'
import { compareGas, type GasRow } from './gasRow.ts'
import type { Deployed, GasMeter } from './openGasMeter.ts'

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
  for (let agent = 1; agent <= 4; agent++) await meter.gasOf(identities, 'register', [])
  const registry = await meter.deploy(reputationRegistry, [identities.address])
  const give = (agentId: bigint, tag1: string, tag2: string, endpoint: string) =>
    meter.gasOf(registry, 'giveFeedback', [agentId, 87n, 2, tag1, tag2, endpoint, uri, hash], client.account)
  const plain = () => give(1n, '', '', '')
  const tagged = () => give(2n, 'quality', 'response time', 'https://agent.example/mcp')
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
    ...(await measureReading(meter, registry)),
  ]
}

/** What reading may cost compared with the reference, which does not look for repeated clients. */
const READING_MAX_RATIO = 1.1

/**
 * Measures reading many clients and much feedback, and giving feedback whose two tags need a slot each. The reference was
 * measured with the same calls, without its proxy.
 */
async function measureReading(meter: GasMeter, registry: Deployed): Promise<GasRow[]> {
  const clients = await meter.openAccounts(200)
  const [one] = clients
  if (!one) throw new Error('too few accounts')
  const give = (agentId: bigint, client: Address, tag1: string, tag2: string) =>
    meter.gasOf(registry, 'giveFeedback', [agentId, 87n, 2, tag1, tag2, '', uri, hash], client)
  for (const client of clients) await give(3n, client, 'quality', 'response time')
  for (let i = 0; i < 400; i++) await give(4n, one, 'quality', 'response time')
  const summary = (agentId: bigint, list: readonly Address[], tag1: string) =>
    meter.viewGasOf(registry, 'getSummary', [agentId, list, tag1, ''])
  return [
    compareGas(
      'getSummary, 200 clients in no order',
      1_311_767,
      await summary(3n, clients, ''),
      READING_MAX_RATIO,
    ),
    compareGas(
      'getSummary, 200 clients in no order, one tag',
      1_828_286,
      await summary(3n, clients, 'quality'),
      READING_MAX_RATIO,
    ),
    compareGas(
      'getSummary, 400 feedbacks of a client',
      1_410_633,
      await summary(4n, [one], ''),
      READING_MAX_RATIO,
    ),
    compareGas(
      'getSummary, 400 feedbacks of a client, one tag',
      2_443_435,
      await summary(4n, [one], 'quality'),
      READING_MAX_RATIO,
    ),
    compareGas(
      'giveFeedback, tags of 17 and 16 bytes',
      120_887,
      await give(4n, one, 'a'.repeat(17), 'b'.repeat(16)),
    ),
    compareGas(
      'giveFeedback, tags of 40 and 40 bytes',
      211_073,
      await give(4n, one, 'a'.repeat(40), 'b'.repeat(40)),
    ),
  ]
}
