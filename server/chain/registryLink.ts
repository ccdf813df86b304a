import { reputationRegistry } from './artifacts/reputationRegistry.ts'
import type { Transport } from './chainNode.ts'
import type { Hex } from './chainTypes.ts'
import { isContractFailure } from './isUnanswered.ts'

/** What binds a reputation or validation registry to its identity registry; both have the same function for it. */
export function createRegistryLink({ client, call }: Transport) {
  return {
    /** The identity registry that a registry is about; null when the contract has no such function. */
    readIdentityRegistry: (registry: Hex): Promise<Hex | null> =>
      call(async () => {
        try {
          return await client().readContract({
            address: registry,
            abi: reputationRegistry.abi,
            functionName: 'getIdentityRegistry',
          })
        } catch (error) {
          if (isContractFailure(error)) return null
          throw error
        }
      }),
  }
}
