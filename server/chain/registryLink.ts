import { BaseError, ContractFunctionRevertedError, ContractFunctionZeroDataError } from 'viem'
import { reputationRegistry } from './artifacts/reputationRegistry.ts'
import type { Transport } from './chainNode.ts'
import type { Hex } from './chainTypes.ts'

/** What binds a reputation or validation registry to its identity registry; both have the same function for it. */
export function createRegistryLink({ client, call }: Transport) {
  return {
    /** The identity registry that a registry is about; null when the contract has no such function. */
    identityRegistryOf: (registry: Hex): Promise<Hex | null> =>
      call(async () => {
        try {
          return await client().readContract({
            address: registry,
            abi: reputationRegistry.abi,
            functionName: 'getIdentityRegistry',
          })
        } catch (error) {
          if (hasNoAnswer(error)) return null
          throw error
        }
      }),
  }
}

function hasNoAnswer(error: unknown): boolean {
  if (!(error instanceof BaseError)) return false
  const cause = error.walk(
    (inner) =>
      inner instanceof ContractFunctionRevertedError || inner instanceof ContractFunctionZeroDataError,
  )
  return cause !== null
}
