import { getAddress } from 'viem'
import type { Hex } from '../../chain/chainTypes.ts'
import type { ExistingContracts } from '../../chain/deployContracts.ts'
import type { Config } from '../../config.ts'

/** Returns the configured contracts, with normalised addresses, so that remembered ones compare equal. */
export function configuredContracts(settings: Config['chain']): ExistingContracts {
  return {
    identityRegistry: toChecksumAddress(settings.identityRegistryAddress),
    auditLog: toChecksumAddress(settings.auditLogAddress),
    reputationRegistry: toChecksumAddress(settings.reputationRegistryAddress),
    validationRegistry: toChecksumAddress(settings.validationRegistryAddress),
  }
}

function toChecksumAddress(address: Hex | undefined): Hex | undefined {
  return address && getAddress(address)
}
