import { type Address, keccak256, toHex } from 'viem'
import { identityRegistry } from '../../server/chain/artifacts/identityRegistry.ts'
import { reputationRegistry } from '../../server/chain/artifacts/reputationRegistry.ts'
import type { GasMeter } from './openGasMeter.ts'

const uri = `ipfs://${'Qm'.padEnd(46, 'x')}`
const hash = keccak256(toHex('a file'))

/** Deploys a reputation registry with agents from 1 on; `give` returns the gas of giving one of them feedback. */
export async function deployReputation(meter: GasMeter, agents: number) {
  const identities = await meter.deploy(identityRegistry)
  for (let agent = 1; agent <= agents; agent += 1) await meter.gasOf(identities, 'register', [])
  const registry = await meter.deploy(reputationRegistry, [identities.address])
  const usual = meter.accounts[1]?.account.address
  return {
    registry,
    give(agentId: bigint, tag1: string, tag2: string, client: Address | undefined = usual, endpoint = '') {
      const args = [agentId, 87n, 2, tag1, tag2, endpoint, uri, hash]
      return meter.gasOf(registry, 'giveFeedback', args, client)
    },
  }
}
