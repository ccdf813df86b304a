import { createPublicClient, http } from 'viem'
import { auditLog } from '../../../server/chain/artifacts/auditLog.ts'
import type { Hex } from '../../../server/chain/chainTypes.ts'

/** Opens a reader for an audit log on the chain that uses none of the service's code. */
export function openLogReader(rpcUrl: string, { contract: address, logId }: { contract: Hex; logId: Hex }) {
  const client = createPublicClient({ transport: http(rpcUrl), cacheTime: 0 })
  const { abi } = auditLog
  return {
    async size(): Promise<number> {
      const [, size] = await client.readContract({ address, abi, functionName: 'head', args: [logId] })
      return Number(size)
    },
    /** Every anchored batch, in chain order. */
    async batches() {
      const events = await client.getContractEvents({
        address,
        abi,
        eventName: 'BatchAnchored',
        args: { logId },
        strict: true,
        fromBlock: 0n,
        toBlock: 'latest',
      })
      return events.map(({ args }) => ({
        number: Number(args.batch),
        prevSize: Number(args.prevSize),
        newSize: Number(args.newSize),
        root: args.root,
      }))
    },
    /** The contract's own verdict on a proof. */
    verifyInclusion: (leafHash: Hex, index: number, proof: Hex[]): Promise<boolean> =>
      client.readContract({
        address,
        abi,
        functionName: 'verifyInclusion',
        args: [logId, leafHash, BigInt(index), proof],
      }),
  }
}
