import { keccak256, toHex } from 'viem'
import { identityRegistry } from '../../server/chain/artifacts/identityRegistry.ts'
import { validationRegistry } from '../../server/chain/artifacts/validationRegistry.ts'
import { compareGas, type GasRow } from './gasRow.ts'
import type { GasMeter } from './openGasMeter.ts'

const uri = `ipfs://${'Qm'.padEnd(46, 'x')}`
const requestHash = keccak256(toHex('a request'))
const responseHash = keccak256(toHex('a response'))

/**
 * Measures the gas of a validation request and of the first response, with a tag, for an agent and a validator without
 * earlier ones, which costs most.
 *
 * The reference figures were measured on the ERC-8004 reference contracts 2.0.0 behind their proxy, with URIs of 53
 * bytes.
 */
export async function measureValidationGas(meter: GasMeter): Promise<GasRow[]> {
  const [owner, validator] = meter.accounts
  if (!owner || !validator) throw new Error('too few accounts')
  const identities = await meter.deploy(identityRegistry)
  await meter.gasOf(identities, 'register', [])
  const registry = await meter.deploy(validationRegistry, [identities.address])
  const request = [validator.account.address, 1n, uri, requestHash]
  const response = [requestHash, 100, uri, responseHash, 'hard finality']
  return [
    compareGas(
      'validationRequest, first',
      175_955,
      await meter.gasOf(registry, 'validationRequest', request),
    ),
    compareGas(
      'validationResponse',
      132_258,
      await meter.gasOf(registry, 'validationResponse', response, validator.account),
    ),
  ]
}
